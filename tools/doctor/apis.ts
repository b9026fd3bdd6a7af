// What the profile of a provider says against "apis", the APIs with a token of their own.

import type { Provider } from '../../src/config/provider.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { quoteNames, type Finding } from './finding.ts';

type Said = Pick<Finding, 'text' | 'remedy'>;

/** Finds why APIs get no token of their own, or the wrong one. `known` is the profile of the provider; null for none. */
export function examineApis(provider: Provider, known: Profile | null): readonly Finding[] {
  if (provider.apis.length === 0) return [];
  return [findWrongKey(provider, known), findMissingRefreshToken(provider, known)]
    .filter((said) => said !== null)
    .map((said) => ({ code: 'apis', severity: 'warning', targets: 'all', ...said }));
}

function findWrongKey({ apis }: Provider, known: Profile | null): Said | null {
  if (known?.use !== 'preset' || known.apis === undefined) return null;
  const { by, without, text: remedy } = known.apis;
  const { title } = known;
  if (by === 'none') return { text: `"apis" cannot work: ${title} issues no token for another API.`, remedy };
  const refused = (['scope', 'resource', 'audience'] as const).filter(
    (key) => key === without || (key !== by && key !== 'scope'),
  );
  const wrong = apis.filter((api) => api[by] === null || refused.some((key) => api[key] !== null));
  if (wrong.length === 0) return null;
  const origins = quoteNames(wrong.flatMap((api) => api.origins));
  const keys = without === undefined ? `"${by}"` : `"${by}", without "${without}"`;
  return { text: `${title} wants an API named by ${keys}. "apis" does not do so for ${origins}.`, remedy };
}

function findMissingRefreshToken({ scope, userApi }: Provider, known: Profile | null): Said | null {
  const asks = (names: string) => names.split(' ').includes('offline_access');
  // Where the profile does without that scope, or there are no ID tokens, a refresh token comes otherwise.
  const preset = known?.use === 'preset' ? known.settings.scope : undefined;
  if (asks(scope) || userApi !== null || (preset !== undefined && !asks(preset))) return null;
  return {
    text: 'Tokens for APIs come from the refresh token, and "scope" does not ask for "offline_access".',
    remedy: 'Add "offline_access" to "scope".',
  };
}
