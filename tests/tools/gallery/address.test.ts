import { expect, test } from 'vitest';
import { readAddress, toBareQuery, type Address } from '../../../tools/gallery/address.ts';

const plain: Address = { face: 'starting', theme: 'system', language: 'en', text: 100 };

test.each<[string, Address]>([
  ['', plain],
  ['?face=first-run&theme=dark', { ...plain, face: 'first-run', theme: 'dark' }],
  ['?language=de&text=200', { ...plain, language: 'de', text: 200 }],
])('the query «%s» is read, with defaults for what is missing', (query, address) => {
  expect(readAddress(query)).toEqual(address);
});

test('an address is read as it has been written', () => {
  const address: Address = { face: 'first-run', theme: 'light', language: 'pt_BR', text: 150 };
  expect(readAddress(toBareQuery(address))).toEqual(address);
});
