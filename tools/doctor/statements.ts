// Compares the configuration with what the provider's profile and its discovery document state. The endpoints' own answers
// count for more.

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Provider } from '../../src/config/provider.ts';
import { isObject } from '../../src/session/shape.ts';
import type { Settings } from '../../src/providers/profile.ts';
import type { NamedProfile } from '../build/profiles.ts';
import { findIssuerRemedy, toParts, toPreset } from './configuration.ts';
import type { Subject } from './discovery.ts';
import { findAll, quoteSettings, type Finding } from './finding.ts';
import { apiRows, codeRows, documentRows, idTokenRows, settingRows } from './statement-rows.ts';
import type { ExtensionIds } from '../redirect-uris.ts';
import { findDpopProblem } from './token-endpoint.ts';

/** A list of names that is missing or malformed says nothing. */
const listSchema = v.fallback(v.array(v.string()), []);

/** The statements of a provider's document, and of its endpoints' answers. */
export interface Asked {
  /** Null if the provider was not asked, or has no usable document. */
  readonly subject: Subject | null;
  readonly shown: readonly Finding[];
  /** Whether the token endpoint knows the grant for refresh tokens, though the document does not list it. */
  readonly takesRefreshTokens: boolean;
  /** How far the provider's clock is ahead. */
  readonly skewSeconds: number;
}

/** A provider to examine. */
export interface Examined {
  readonly ids: ExtensionIds;
  readonly provider: Provider;
  /** The profile that the configuration names, or null. */
  readonly profileName: string | null;
  /** All that are known. */
  readonly profiles: readonly NamedProfile[];
}

/** The facts about a provider before its statements are compared. */
interface Known extends Asked, Examined {
  readonly recognized: NamedProfile | null;
}

/** Finds what the statements say against the settings, as far as the endpoints have not shown it themselves. */
export function compareStatements(known: Known): readonly Finding[] {
  const { provider, recognized, subject, shown } = known;
  const has = toParts(provider);
  const rows = [...(has.idToken ? idTokenRows : []), ...(has.code ? codeRows : []), ...documentRows];
  const limits = recognized?.profile.limits ?? [];
  // The kinds of a profile's limits are codes of findings.
  const noted: readonly string[] = limits.map(({ kind }) => kind);
  const evidence = toEvidence(known);
  const found = findAll([...settingRows, ...(subject === null ? [] : rows)], evidence).filter(
    ({ code, severity }) =>
      !shown.some((finding) => finding.code === code) && (severity !== 'note' || !noted.includes(code)),
  );
  return [
    ...found,
    ...apiRows.flatMap((row) => findAll([row], evidence)),
    ...limits.map(({ text }): Finding => {
      return { code: 'limit', severity: 'note', targets: 'all', text, remedy: null };
    }),
  ];
}

export type Evidence = ReturnType<typeof toEvidence>;

/** The settings beside the statements. A text is empty, and a list too, where there is nothing to say. */
function toEvidence({ recognized, ...known }: Known) {
  const { provider, profileName, profiles, subject, shown } = known;
  const { name = '', profile } = recognized ?? {};
  const isPreset = profile?.use === 'preset';
  const preset = toPreset(recognized);
  const { document = {}, metadata } = subject ?? {};
  const list = (member: string) => v.parse(listSchema, document[`${member}_supported`]);
  const listed = list('scopes');
  const scopes = provider.scope.split(' ').filter(Boolean);
  const beyond = (others: readonly string[]) => scopes.filter((scope) => !others.includes(scope));
  return {
    ...known,
    name,
    title: profile?.title ?? '',
    preset,
    /** Why the provider itself cannot work. */
    refusal: profile?.use === 'refused' ? profile.refusal : '',
    /** The kinds of features that don't work, or are weaker, at a provider that can work. */
    apiTokens: isPreset ? profile.apis : undefined,
    limits: isPreset ? profile.limits.map(({ kind }) => kind) : [],
    /** The right issuer or profile, if this issuer is known to be wrong. */
    issuerRemedy: (isPreset && findIssuerRemedy(provider.issuer, profile, profiles)) || '',
    /** Settings of the profile that the configuration neither has nor takes from it. */
    missing: profileName === null ? findMissing(provider, preset) : '',
    scopes,
    /** Scopes beyond those of the profile. */
    furtherScopes: preset.scope === undefined ? [] : beyond(preset.scope.split(' ')),
    unlistedScopes: listed.length === 0 ? [] : beyond(['openid', 'offline_access', ...listed]),
    /** The names in a list of the document, such as `scopes`. */
    list,
    metadata,
    /** Why the configured DPoP cannot work, to be printed. */
    dpopProblem: metadata === undefined ? '' : findDpopProblem(provider, metadata),
    /** Whether the sign-in page accepts the request. */
    isAccepted: shown.some(({ code, severity }) => code === 'redirect-uri' && severity === 'ok'),
  };
}

/** Settings of the profile with rows of their own, or that discovery explains better. */
const explained: readonly string[] = ['issuer', 'issuerTemplate', 'refreshTokenSeconds', 'scope', 'origins'];

function findMissing(provider: Provider, preset: Settings): string {
  const missing = Object.entries(preset).filter(([name, value]) => {
    const own: unknown = provider[name as keyof Provider];
    // An object may have further members.
    const whole: unknown = isObject(own) && isObject(value) ? { ...own, ...value } : value;
    return !explained.includes(name) && !isDeepStrictEqual(own, whole);
  });
  return quoteSettings(Object.fromEntries(missing));
}
