import { expect, test } from 'vitest';
import { findProviders } from '../../src/popup/components/ProviderList.tsx';

const providers = ['Contoso Éducation', 'Contoso', 'Straße AG', 'Fabrikam'].map((name) => ({ name }));

test.each([
  ['', ['Contoso Éducation', 'Contoso', 'Straße AG', 'Fabrikam']],
  ['  ', ['Contoso Éducation', 'Contoso', 'Straße AG', 'Fabrikam']],
  ['CONTO', ['Contoso Éducation', 'Contoso']],
  ['education con', ['Contoso Éducation']],
  ['e\u0301duc', ['Contoso Éducation']],
  [' fabrikam ', ['Fabrikam']],
  ['no one', []],
])('findProviders finds with the query «%s» the providers %o', (query, names) => {
  expect(findProviders(providers, query).map(({ name }) => name)).toEqual(names);
});
