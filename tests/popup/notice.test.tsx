// @vitest-environment happy-dom
// A notice puts its sentences one after the other, as each language does.

import { cleanup } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../src/gallery/messages-file.ts';
import { createText } from '../../src/popup/i18n/text.ts';
import type { Problem } from '../../src/session/problem.ts';
import { whatHappened, whatToDo } from '../support/english.ts';
import { nobody, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

afterEach(cleanup);

const folder = 'src/public/_locales';
const cancelled: Problem = { code: 'cancelled', detail: null, window: 'left-open' };

/** Their full stop is as wide as a letter, and needs no gap after it. */
const withoutGaps = ['ja', 'zh_CN'];

test.each(readdirSync(folder))(
  'the sentences of a notice in %s have the gap of that language',
  (language) => {
    const file = readFileSync(`${folder}/${language}/messages.json`, 'utf8');
    const text = createText(toLookUp(JSON.parse(file) as MessagesFile));
    const { container } = renderPopup(toView({ ...nobody, problem: cancelled }), { text });
    expect(container.querySelector('[data-problem="cancelled"] p')?.textContent).toBe(
      [whatHappened('cancelled', text), whatToDo('cancelled', text), text('problem_windowLeftOpen')].join(
        withoutGaps.includes(language) ? '' : ' ',
      ),
    );
  },
);
