// The valibot schema of a managed policy that has been laid over the build's providers. managed-schema.json, for Chromium, is
// generated from it, with the comment above each key as its description.

import * as v from 'valibot';
import { once } from '../concurrency.ts';
import { providerEntries } from './schema.ts';
import { line, listOf, picklist, strictObject } from './value-schema.ts';

/**
 * The list is required. A browser leaves out a key whose value has a wrong type, and so a list with one mistake: a policy
 * without its list must not count as one that asks for nothing.
 */
const providerList =
  'a list of at most 100 provider objects, each with an "id", and of at least one if "locked"; a browser leaves it out for a value of a wrong type or a misspelled key';

const ofPolicy = () =>
  strictObject('a provider object', {
    ...providerEntries(),
    profile: v.exactOptional(v.never('no profile, because the build applies it; write the settings here')),
    icon: v.exactOptional(v.never('no icon, because only the build can set it')),
    profileClaims: v.exactOptional(v.never('no claims, because only the build can set them')),
  });

export const policyEntries = once(() => ({
  /** The version of the form of this policy: 1. */
  version: v.literal(1, '1, the version of the form of this policy'),
  /**
   * The providers in the order of their buttons. One with the "id" of a provider that the extension was built with
   * replaces the settings that it names; any other must be complete. Required, but may be empty.
   */
  providers: listOf(ofPolicy(), 1, 100, providerList),
  /** Whether only these providers are offered. Without it, the build's others follow. */
  locked: v.exactOptional(v.boolean('true or false')),
  /**
   * "device": the session survives a browser restart. "browser": it's kept in memory and ends when the browser closes.
   * Without it, the build decides.
   */
  persistence: v.exactOptional(picklist(['device', 'browser'])),
  /**
   * "popup": people who are signed in at the first provider are signed in without a click when the popup opens. "startup":
   * when the browser starts too. No window opens. Without it, the build decides.
   */
  autoSignIn: v.exactOptional(picklist(['off', 'popup', 'startup'])),
  /**
   * Whether the popup offers the last three accounts after people have signed out or their session has ended. False keeps none.
   * Without it, the build decides.
   */
  rememberAccounts: v.exactOptional(v.boolean('true or false')),
  /** The organization, as the popup names it: 1 to 60 characters. */
  managedBy: v.nullish(line('the name of the organization', 60), null),
}));

/**
 * The whole policy as one text of JSON, in place of all other keys but "version": for values that have no key of one type
 * here, such as null.
 */
export const policyTextKey = 'json';
