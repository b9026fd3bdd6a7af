import { describe, expect, test } from 'vitest';
import messages from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import { toLookUp, toPseudo, type MessagesFile } from '../../src/gallery/messages-file.ts';
import type { MessageKey } from '../../src/popup/i18n/text.ts';

const file: MessagesFile = {
  plain: { message: 'Sign in' },
  named: {
    message: '$Person$ at $place$, $PERSON$',
    placeholders: { person: { content: '$1' }, PLACE: { content: 'the $2' } },
  },
  bare: { message: '$2 and $1' },
  money: { message: '$$1 and $$$' },
  undefinedPlaceholder: { message: 'Sign in at $nowhere$' },
};
const lookUp = toLookUp(file) as (key: string, substitutions?: readonly string[]) => string;

describe('toLookUp', () => {
  test.each([
    ['plain', [], 'Sign in'],
    ['named', ['Ada', 'mill'], 'Ada at the mill, Ada'],
    ['named', ['Ada'], 'Ada at the , Ada'],
    ['named', ['$2', '$place$'], '$2 at the $place$, $2'],
    ['bare', ['one', 'two'], 'two and one'],
    ['money', ['one'], '$1 and $$'],
    ['missing', [], ''],
  ])('looks up the message %s with %j as browsers do', (key, substitutions, expected) => {
    expect(lookUp(key, substitutions)).toBe(expected);
  });

  test('throws on an undefined placeholder, with which Chromium would reject the extension', () => {
    expect(() => lookUp('undefinedPlaceholder')).toThrow('undefinedPlaceholder has no placeholder nowhere');
  });
});

describe('toPseudo', () => {
  test.each(['ltr', 'rtl'] as const)('keeps the placeholders of every message (%s)', (direction) => {
    const pseudo = toLookUp(toPseudo(messages, direction));
    const english = toLookUp(messages);
    expect(pseudo('direction')).toBe(direction);
    for (const key of Object.keys(messages) as MessageKey[]) {
      if (key === 'direction' || key === 'language') continue;
      // No product is called that.
      const names = ['Ada Lovelace', 'Zzyzx & Co.'];
      const written = pseudo(key, names);
      expect(written).toMatch(/^\u202E?\[.*\]\u202C?$/u);
      for (const name of names) expect(written.includes(name)).toBe(english(key, names).includes(name));
      expect(written).not.toContain('$');
    }
  });

  test('makes the messages about a third longer', () => {
    const length = (texts: MessagesFile) =>
      Object.values(texts).reduce((sum, { message }) => sum + message.length, 0);
    const ratio = length(toPseudo(messages)) / length(messages);
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(1.5);
  });
});
