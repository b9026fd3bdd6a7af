// What the profile of a provider says against "apis", the APIs with a token of their own.

import type { Provider } from '../../src/config/provider.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { findAll, quoteNames, rowsFor, type Finding } from './finding.ts';

interface Evidence {
  readonly title: string;
  readonly advice: string;
  /** Whether the provider issues a token for an API, and the key that it has to be named by. */
  readonly by: 'scope' | 'resource' | 'audience' | 'none' | null;
  readonly keys: string;
  /** The origins of the APIs that are named otherwise. */
  readonly wrong: readonly string[];
  readonly lacksRefreshToken: boolean;
}

const row = rowsFor<Evidence>();
const title = (all: Evidence) => all.title;
const advice = (all: Evidence) => all.advice;

const rows = [
  row.warning('apis', ({ by }) => by === 'none')`
    "apis" cannot work: ${title} issues no token for another API.
    ${advice}`,
  row.warning('apis', ({ wrong }) => wrong.length > 0)`
    ${title} wants an API named by ${({ keys }) => keys}. "apis" does not do so for ${({ wrong }) => quoteNames(wrong)}.
    ${advice}`,
  row.warning('apis', ({ lacksRefreshToken }) => lacksRefreshToken)`
    Tokens for APIs come from the refresh token, and "scope" does not ask for "offline_access".
    Add "offline_access" to "scope".`,
];

/** Finds why APIs get no token of their own, or the wrong one. `known` is the profile of the provider; null for none. */
export function examineApis(provider: Provider, known: Profile | null): readonly Finding[] {
  if (provider.apis.length === 0) return [];
  const evidence = toEvidence(provider, known);
  return rows.flatMap((one) => findAll([one], evidence));
}

function toEvidence({ apis, scope, userApi }: Provider, known: Profile | null): Evidence {
  const preset = known?.use === 'preset' ? known : null;
  const { by = null, without, text: said = '' } = preset?.apis ?? {};
  const asks = (names: string) => names.split(' ').includes('offline_access');
  const ownScope = preset?.settings.scope;
  return {
    title: known?.title ?? '',
    advice: said,
    by,
    keys: without === undefined ? `"${by}"` : `"${by}", without "${without}"`,
    wrong: by === null || by === 'none' ? [] : findWrong(apis, by, without),
    // Where the profile does without that scope, or there are no ID tokens, a refresh token comes otherwise.
    lacksRefreshToken: !asks(scope) && userApi === null && (ownScope === undefined || asks(ownScope)),
  };
}

type Key = 'scope' | 'resource' | 'audience';

function findWrong(apis: Provider['apis'], by: Key, without: Key | undefined): readonly string[] {
  const keys: readonly Key[] = ['scope', 'resource', 'audience'];
  const refused = keys.filter((key) => key === without || (key !== by && key !== 'scope'));
  const isWrong = (api: Provider['apis'][number]) =>
    api[by] === null || refused.some((key) => api[key] !== null);
  return apis.filter(isWrong).flatMap(({ origins }) => origins);
}
