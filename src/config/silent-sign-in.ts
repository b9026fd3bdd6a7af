// Finds settings that rely on silent sign-in, at a provider that has none or whose answer may mean something else.

import type { Mistake } from './config-error.ts';
import type { Config, Provider } from './provider.ts';

/**
 * Settings with which `login_required` does not tell that the person has signed out at the provider: it never comes, or it is
 * also said to people who signed in on another device, too long ago or in another way.
 */
const unclear = ['userApi', 'deviceFlow', 'maxAgeSeconds', 'acrValues'] as const;

type Settings = Pick<Provider, (typeof unclear)[number] | 'endWithProvider'>;

/** One mistake for each setting that can't work at its provider. */
export function findSilentMistakes({
  autoSignIn,
  providers,
}: Pick<Config, 'autoSignIn'> & { readonly providers: readonly Settings[] }): Mistake[] {
  return providers.flatMap((provider, index) => {
    const isTried = index === 0 && autoSignIn !== 'off';
    const beside = unclear.find((name) => provider[name] !== null && provider[name] !== 'off');
    const mistakes: Mistake[] = [];
    if (isTried && (provider.userApi !== null || provider.deviceFlow === 'only'))
      mistakes.push({
        path: ['autoSignIn'],
        text: `found "${autoSignIn}"; expected "off", because with its "${beside}" the first provider has no silent sign-in`,
      });
    if (provider.endWithProvider && beside)
      mistakes.push({
        path: ['providers', index, 'endWithProvider'],
        text: `found true; expected false, because with "${beside}" the provider's answer is missing or can mean something else`,
      });
    return mistakes;
  });
}
