// The valibot schema of a managed policy, without its providers' settings: those are the configuration's own.
// managed-schema.json, for Chromium, is generated from this schema and the one of a provider.

import * as v from 'valibot';
import { once } from '../concurrency/once.ts';
import { isObject, listOf } from './object-schema.ts';
import { matching } from './text-schema.ts';

/**
 * The list is required. A browser leaves out a key whose value has a wrong type, and so a list with one mistake: a policy
 * without its list must not count as one that asks for nothing.
 */
const providerList =
  'a list of at most 100 provider objects, each with an "id"; a browser leaves the list out if a value in it has a wrong type';

export const policyEntries = once(() => ({
  version: v.literal(1, '1, the version of the form of this policy'),
  providers: listOf(
    v.custom<Readonly<Record<string, unknown>>>(isObject, 'a provider object'),
    0,
    100,
    providerList,
  ),
  locked: v.optional(v.boolean('true or false'), false),
  persistence: v.exactOptional(v.picklist(['device', 'browser'], '"device" or "browser"')),
  autoSignIn: v.optional(v.picklist(['off', 'popup', 'startup'], '"off", "popup" or "startup"'), 'off'),
  managedBy: v.nullish(
    matching(/^\S(.{0,58}\S)?$/, 'the name of the organization, 1 to 60 characters on one line'),
    null,
  ),
}));

/** The whole policy as one text, for values that a browser's own form of a policy cannot express. */
export const policyTextKey = 'json';
