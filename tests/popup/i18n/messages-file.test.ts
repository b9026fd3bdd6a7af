import { describe, expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../../src/popup/i18n/messages-file.ts';

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
