// Finds settings that rely on silent sign-in, at a provider that has none or whose answer may mean something else.

import type { Mistake } from './config-error.ts';
import type { Config, Provider } from './provider.ts';

/**
 * The setting with which `login_required` doesn't prove that the person has signed out at the provider: the answer never comes,
 * or people also get it who signed in on another device, too long ago or in another way.
 */
function findUnclear(provider: Provider): string | undefined {
  return (['userApi', 'deviceFlow', 'maxAgeSeconds', 'acrValues'] as const).find(
    (name) => provider[name] !== null && provider[name] !== 'off',
  );
}

/** A mistake if the first provider has no silent sign-in to try. */
export function findAutoSignInMistakes(autoSignIn: Config['autoSignIn'], first: Provider): Mistake[] {
  if (autoSignIn === 'off' || (first.userApi === null && first.deviceFlow !== 'only')) return [];
  const text = `found "${autoSignIn}"; expected "off", because with its "${findUnclear(first)}" the first provider has no silent sign-in`;
  return [{ path: ['autoSignIn'], text }];
}

/** A mistake if `endWithProvider` can't work at its provider. */
export function findEndMistakes(provider: Provider): Mistake[] {
  const beside = findUnclear(provider);
  if (!provider.endWithProvider || beside === undefined) return [];
  const text = `found true; expected false, because with "${beside}" the provider's answer is missing or can mean something else`;
  return [{ path: ['endWithProvider'], text }];
}
