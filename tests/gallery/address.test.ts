import { expect, test } from 'vitest';
import { readAddress, toBareQuery, toQuery, type Address } from '../../src/gallery/address.ts';

const plain: Address = { face: 'starting', theme: 'system', language: 'en', text: 100 };

test.each<[string, Address]>([
  ['', plain],
  ['?face=first-run&theme=dark', { ...plain, face: 'first-run', theme: 'dark' }],
  ['?language=de&text=200', { ...plain, language: 'de', text: 200 }],
])('the query «%s» is read, with defaults for what is missing', (query, address) => {
  expect(readAddress(query)).toEqual(address);
});

test.each([toQuery, toBareQuery])('an address is read as $name has written it', (write) => {
  const address: Address = { face: 'first-run', theme: 'light', language: 'pt_BR', text: 150 };
  expect(readAddress(write(address))).toEqual(address);
  expect(write(address).includes('bare')).toBe(write === toBareQuery);
});
