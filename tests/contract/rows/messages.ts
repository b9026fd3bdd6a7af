// Lines between a page and the worker, also when one of them ends, and what a page hears of the storage.

import { close } from '../../../src/bridge/line/line.ts';
import { nextLineOver } from '../probe/respond.ts';
import type { Row } from '../row.ts';

export const messageRows: readonly Row[] = [
  {
    behaviour: 'a line brings messages in order, both ways, and buffers move through it',
    in: 'page',
    async run({ line, note, noted }) {
      const buffer = new ArrayBuffer(8);
      const post = line('fetch', buffer, [buffer], {
        onMessage(message) {
          // As the page's own, wherever it comes from.
          const isOwn = Object.getPrototypeOf(message) === Array.prototype;
          note(isOwn ? (message as unknown[]).map(String).join(' and ') : String(message));
        },
        onLost: note,
      });
      await noted('[object ArrayBuffer] and [object ArrayBuffer]');
      note(`${buffer.byteLength} bytes left`);
      post('one');
      post('two');
      await noted('two');
      post(close);
    },
    notes: ['[object ArrayBuffer] and [object ArrayBuffer]', '0 bytes left', 'one', 'two'],
  },
  {
    behaviour: 'a line whose worker ends is lost, and the next one wakes the worker',
    in: 'page',
    async run({ ask, settles, outside }) {
      const answer = settles('the first', ask('never answers'));
      await ask('answers');
      await outside('the worker ends');
      await answer;
      await settles('the next', ask('answers'));
    },
    notes: ['the first rejects: stopped', 'the next resolves with an answer'],
  },
  {
    behaviour: 'a line whose page ends is over',
    async run({ outside, settles }) {
      await outside('a page opens that holds a line');
      const ended = settles('the end', nextLineOver());
      await outside('the other page closes');
      await ended;
    },
    notes: ['the end resolves'],
  },
  {
    behaviour: 'a page hears what the worker writes',
    in: 'page',
    async run({ ask, browser, watch, note, until }) {
      const heard: unknown[] = [];
      watch(browser.storage.local.onChanged, ({ written }) => {
        heard.push(written);
        return null;
      });
      let value = 0;
      // Firefox begins to report changes some time after a listener was added.
      await until(async () => {
        await ask('writes', (value += 1));
        return heard.length > 0;
      });
      note('heard');
    },
    notes: ['heard'],
  },
];
