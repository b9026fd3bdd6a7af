// Messages, ports and locks between a page and the worker, also when one of them ends.

import { over } from '../../../src/bridge/line.ts';
import { nextClosedPort } from '../probe/respond.ts';
import type { Row } from '../row.ts';

export const messageRows: readonly Row[] = [
  {
    behaviour: 'a message gets the answer of the listener that gives one',
    in: 'page',
    run: ({ browser, settles }) => settles('the message', browser.runtime.sendMessage({ ask: 'answers' })),
    notes: ['the message resolves with an answer'],
  },
  {
    behaviour: 'a message that no listener answers resolves with nothing',
    in: 'page',
    run: ({ browser, settles }) => settles('the message', browser.runtime.sendMessage({ ask: 'ignores' })),
    notes: ['the message resolves'],
  },
  {
    behaviour: 'a message whose listener rejects is rejected in its words',
    in: 'page',
    run: ({ browser, settles }) => settles('the message', browser.runtime.sendMessage({ ask: 'rejects' })),
    notes: ['the message rejects: The worker says no.'],
  },
  {
    behaviour: 'a message whose worker ends before it answers is rejected, and the next one wakes the worker',
    in: 'page',
    async run({ browser, settles, outside }) {
      const answer = settles('the message', browser.runtime.sendMessage({ ask: 'never answers' }));
      await browser.runtime.sendMessage({ ask: 'answers' });
      await outside('the worker ends');
      await answer;
      await settles('the next message', browser.runtime.sendMessage({ ask: 'answers' }));
    },
    notes: {
      chromium: [
        'the message rejects: A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received',
        'the next message resolves with an answer',
      ],
      firefox: [
        'the message rejects: Could not establish connection. Receiving end does not exist.',
        'the next message resolves with an answer',
      ],
    },
  },
  {
    behaviour: 'a message carries what JSON cannot hold',
    in: 'page',
    run: ({ browser, settles }) =>
      settles(
        'the message',
        browser.runtime.sendMessage({
          ask: 'describes',
          value: [undefined, Number.NaN, new Date(0), new Uint8Array(1)],
        }),
      ),
    notes: ['the message resolves with undefined, NaN, [object Date], [object Uint8Array]'],
  },
  {
    behaviour: 'a port brings messages in order, and tells only the other end that it was closed',
    in: 'page',
    async run({ browser, note, noted }) {
      const port = browser.runtime.connect({ name: 'echoes' });
      port.onMessage.addListener((message) => note(`message: ${String(message)}`));
      port.onDisconnect.addListener(() => note('disconnected'));
      port.postMessage('one');
      port.postMessage('two');
      await noted('message: two');
      port.disconnect();
      note(String(await browser.runtime.sendMessage({ ask: 'when a port is closed' })));
      try {
        port.postMessage('three');
      } catch (error) {
        note(`postMessage throws: ${(error as Error).message}`);
      }
    },
    notes: {
      chromium: [
        'message: one',
        'message: two',
        'echoes',
        'postMessage throws: Attempting to use a disconnected port object',
      ],
      firefox: [
        'message: one',
        'message: two',
        'echoes',
        'postMessage throws: Attempt to postMessage on disconnected port',
      ],
    },
  },
  {
    behaviour: 'a port that the worker closes is disconnected',
    in: 'page',
    async run({ browser, note, noted }) {
      const port = browser.runtime.connect({ name: 'closes' });
      port.onDisconnect.addListener(() => note('disconnected'));
      await noted('disconnected');
    },
    notes: ['disconnected'],
  },
  {
    behaviour: 'a port whose worker ends is disconnected',
    in: 'page',
    async run({ browser, note, noted, outside }) {
      const port = browser.runtime.connect({ name: 'echoes' });
      port.onMessage.addListener((message) => note(`message: ${String(message)}`));
      port.onDisconnect.addListener(() => note('disconnected'));
      port.postMessage('one');
      await noted('message: one');
      await outside('the worker ends');
      await noted('disconnected');
    },
    notes: ['message: one', 'disconnected'],
  },
  {
    behaviour: 'a port whose page ends is disconnected',
    async run({ note, outside, settles }) {
      await outside('a page opens that holds a port');
      const closed = settles('the port', nextClosedPort());
      await outside('the page ends');
      await closed;
      note('and no other');
    },
    notes: ["the port resolves with a page's", 'and no other'],
  },
  {
    behaviour: 'a line brings messages in order, both ways, and buffers move through it',
    in: 'page',
    async run({ findLine, note, noted }) {
      const line = await findLine();
      const buffer = new ArrayBuffer(8);
      const post = line(buffer, [buffer], (message) => {
        // As the page's own, wherever it comes from.
        const isOwn = Object.getPrototypeOf(message) === Array.prototype;
        note(isOwn ? (message as unknown[]).map(String).join(' and ') : String(message));
      });
      note(`${buffer.byteLength} bytes left`);
      post('one');
      post('two');
      await noted('two');
      post(over);
    },
    notes: ['0 bytes left', '[object ArrayBuffer] and [object ArrayBuffer]', 'one', 'two'],
  },
  {
    behaviour: 'a page hears what the worker writes',
    in: 'page',
    async run({ browser, watch, note, until }) {
      const heard: unknown[] = [];
      watch(browser.storage.local.onChanged, ({ written }) => {
        heard.push(written);
        return null;
      });
      let value = 0;
      // Firefox begins to report changes some time after a listener was added.
      await until(async () => {
        await browser.runtime.sendMessage({ ask: 'writes', value: (value += 1) });
        return heard.length > 0;
      });
      note('heard');
    },
    notes: ['heard'],
  },
];
