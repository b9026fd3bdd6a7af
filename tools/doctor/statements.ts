// Compares the configuration with what the provider's profile and its discovery document state. The endpoints' own responses count
// for more.

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Provider } from '../../src/config/provider.ts';
import type { Settings, Limit } from '../../src/providers/profile.ts';
import type { NamedProfile } from '../build/profiles.ts';
import { findIssuerRemedy, toParts, toPreset, isDetour } from './configuration.ts';
import type { Subject } from './discovery.ts';
import { findAll, quoteSettings, quoteNames, rowsFor, type Finding } from './finding.ts';
import type { ExtensionIds } from '../redirect-uris.ts';
import { findDpopProblem, toPublicClient } from './token-endpoint.ts';
import { futureToleranceSeconds } from '../../src/oidc/http.ts';
import { isObject } from '../../src/session/shape.ts';

/** A list of names that is missing or malformed says nothing. */
const listSchema = v.fallback(v.array(v.string()), []);

/** The statements of a provider's document, and of its endpoints' responses. */
export interface Asked {
  /** Null if the provider wasn't asked, or has no usable document. */
  readonly subject: Subject | null;
  readonly shown: readonly Finding[];
  /** Whether the token endpoint knows the grant for refresh tokens, though the document doesn't list it. */
  readonly takesRefreshTokens: boolean;
  readonly skewSeconds: number;
}

/** A provider to examine. */
export interface Examined {
  readonly ids: ExtensionIds;
  readonly provider: Provider;
  /** The profile that the configuration names, or null. */
  readonly profileName: string | null;
  readonly profiles: readonly NamedProfile[];
}

interface Known extends Asked, Examined {
  readonly recognized: NamedProfile | null;
}

/** Finds what the statements say against the settings, as far as the endpoints haven't shown it themselves. */
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

type Evidence = ReturnType<typeof toEvidence>;

/** The settings with the statements. A text or a list is empty where there is nothing to say. */
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
    /** Why the provider itself can't work. */
    refusal: profile?.use === 'refused' ? profile.refusal : '',
    /** The kinds of features that don't work, or are weaker, at a provider that can work. */
    apiTokens: isPreset ? profile.apis : undefined,
    limits: isPreset ? profile.limits.map(({ kind }) => kind) : [],
    /** The right issuer or profile, if this issuer is known to be wrong. */
    issuerRemedy: (isPreset && findIssuerRemedy(provider.issuer, profile, profiles)) || '',
    /** Whether the provider's document names the configured issuer. */
    isConfirmed: document['issuer'] !== undefined && shown.some(({ code }) => code === 'discovery'),
    /** Settings of the profile that the configuration neither has nor takes from it. */
    missing: profileName === null ? findMissing(provider, preset) : '',
    scopes,
    furtherScopes: preset.scope === undefined ? [] : beyond(preset.scope.split(' ')),
    unlistedScopes: listed.length === 0 ? [] : beyond(['openid', 'offline_access', ...listed]),
    /** The names in a list of the document, such as `scopes`. */
    list,
    metadata,
    dpopProblem: metadata === undefined ? '' : findDpopProblem(provider, metadata),
    isAccepted: shown.some(({ code, severity }) => code === 'redirect-uri' && severity === 'ok'),
  };
}

/** Settings of the profile with rows of their own, or that discovery explains better. */
const explained: readonly string[] = ['issuer', 'issuerTemplate', 'refreshTokenSeconds', 'scope', 'origins'];

function findMissing(provider: Provider, preset: Settings): string {
  const missing = Object.entries(preset).filter(([name, value]) => {
    const own: unknown = provider[name as keyof Provider];
    // An object may have more members.
    const whole: unknown = isObject(own) && isObject(value) ? { ...own, ...value } : value;
    return !explained.includes(name) && !isDeepStrictEqual(own, whole);
  });
  return quoteSettings(Object.fromEntries(missing));
}

const row = rowsFor<Evidence>();
const title = (all: Evidence) => all.title;
const name = (all: Evidence) => all.name;
const issuer = (all: Evidence) => all.provider.issuer;
const seconds = ({ preset }: Evidence) => preset.refreshTokenSeconds ?? 0;

const has = ({ limits }: Evidence, kind: Limit['kind']) => limits.includes(kind);
const isRefused = ({ refusal, provider }: Evidence) => refusal !== '' && !isDetour(provider);
// A fact about a provider may be about a different host of it.
const severityUnlessConfirmed = ({ isConfirmed }: Evidence) => (isConfirmed ? 'warning' : 'error');
const asksForEmail = ({ provider }: Evidence) => provider.allowed['email'] !== undefined;
const isOffline = ({ scopes }: Evidence) => scopes.includes('offline_access');
const mayExceedScope = (all: Evidence) =>
  has(all, 'scope-refused') && all.furtherScopes.length > 0 && !all.isAccepted;
const lacksTemplate = ({ provider: { issuerTemplate, metadata }, preset, ...all }: Evidence) =>
  // With endpoints of its own the issuer is still compared with that of the ID token.
  Boolean(preset.issuerTemplate) &&
  all.profileName === null &&
  issuerTemplate === null &&
  !metadata?.token_endpoint &&
  all.issuerRemedy === '';
const lacksLifetime = (all: Evidence) =>
  isOffline(all) && seconds(all) > 0 && all.provider.refreshTokenSeconds === null;

const settingRows = [
  row.warning('key-missing', ({ ids }) => ids.lacksKey === true)`
    manifest.json has no "key", so the redirect URI of Chrome and Edge depends on the folder of the build, and can't be checked.
    \`npm run rename\` makes a key. For a build from a store, copy the key that its dashboard shows.`,
  row.warning('loopback-redirect', ({ provider }) => provider.firefoxRedirect === 'loopback')`
    In any browser, a page and a program on the same computer can together get tokens of this client for anyone who is signed in at the provider: a redirect to http://127.0.0.1 goes to whichever program listens there.
    Build for Firefox with a configuration of its own, whose "clientId" has this redirect URI, and register it for no other client.`,
  row.warning('provider-refused', (all) => isRefused(all) && all.isConfirmed)`
    ${({ refusal }) => refusal} But there is a discovery document for this issuer, so that may not hold for it.
    Sign in once and see.`,
  row.error('provider-refused', isRefused)`
    ${({ refusal }) => refusal}`,
  row.note('limit', (all) => all.refusal !== '' && !isRefused(all))`
    ${({ refusal }) => refusal}`,
  row.by(severityUnlessConfirmed)('issuer-mistake', ({ issuerRemedy }) => issuerRemedy !== '')`
    "${issuer}" isn't an issuer of ${title}.
    ${({ issuerRemedy }) => issuerRemedy}`,
  row.error('issuer-template', lacksTemplate)`
    "${issuer}" isn't one issuer: it stands for many tenants, and each has its own.
    For the people of one tenant, put its id into "issuer". For those of every tenant, use the profile "${name}".`,
  row.error('email-unverified', (all) => asksForEmail(all) && has(all, 'verified-email-missing'))`
    "allowed" asks for "email", and ${title} doesn't say which addresses are verified, so no one could sign in.
    Use another claim in "allowed".`,
  row.warning('refresh-token-seconds', lacksLifetime)`
    Refresh tokens of ${title} end ${seconds} seconds after the sign-in, and the configuration doesn't say so: sessions end there.
    Add "refreshTokenSeconds": ${seconds}, so that Latchkey signs in silently before that.`,
  row.warning('scope', mayExceedScope)`
    ${title} may refuse the scope ${({ furtherScopes }) => quoteNames(furtherScopes)}.
    The scope with which it works is "${({ preset }) => preset.scope ?? ''}".`,
  row.warning('profile-settings', ({ missing }) => missing !== '')`
    ${title} is known to need settings that the configuration doesn't have: ${({ missing }) => missing}.
    Add "profile": "${name}" or these settings.`,
];

/** The origins of the APIs that are named by other keys than the profile says. */
const findWrongApis = ({ apiTokens, provider }: Evidence): readonly string[] => {
  if (apiTokens === undefined || apiTokens.by === 'none') return [];
  const { by, without } = apiTokens;
  const keys = ['scope', 'resource', 'audience'] as const;
  const refused = keys.filter((key) => key === without || (key !== by && key !== 'scope'));
  const isWrong = (api: Provider['apis'][number]) =>
    api[by] === null || refused.some((key) => api[key] !== null);
  return provider.apis.filter(isWrong).flatMap(({ origins }) => origins);
};
const apiAdvice = ({ apiTokens }: Evidence) => apiTokens?.text ?? '';
const apiKeys = ({ apiTokens }: Evidence) =>
  `"${apiTokens?.by}"${apiTokens?.without === undefined ? '' : `, without "${apiTokens.without}"`}`;
/** If the profile does without that scope, or there are no ID tokens, the refresh token comes in another way. */
const apisLackRefreshToken = (all: Evidence) =>
  all.provider.apis.length > 0 &&
  !isOffline(all) &&
  all.provider.userApi === null &&
  (all.preset.scope === undefined || all.preset.scope.split(' ').includes('offline_access'));

/** Statements of the profile against "apis". Each applies by itself. */
const apiRows = [
  row.warning('apis', ({ apiTokens, provider }) => provider.apis.length > 0 && apiTokens?.by === 'none')`
    "apis" can't work: ${title} issues no token for another API.
    ${apiAdvice}`,
  row.warning('apis', (all) => findWrongApis(all).length > 0)`
    ${title} requires an API named by ${apiKeys}. "apis" doesn't do so for ${(all) => quoteNames(findWrongApis(all))}.
    ${apiAdvice}`,
  row.warning('apis', apisLackRefreshToken)`
    Tokens for APIs come from the refresh token, and "scope" doesn't ask for "offline_access".
    Add "offline_access" to "scope".`,
];

const names = (member: string) => (all: Evidence) => quoteNames(all.list(member));

/** Whether a list of the document lacks this item, in any case: "s256" is a slip of the document. */
const lacks = ({ list }: Evidence, member: string, item: string) =>
  list(member).length > 0 && !list(member).some((one) => one.toLowerCase() === item.toLowerCase());
const signsOtherwise = ({ list }: Evidence) => {
  const algorithms = list('id_token_signing_alg_values');
  // Any other name is a mistake in the document, and says nothing.
  const unverified = /^(none|HS\d{3}|ES256K|Ed448|ML-DSA-\d+)$/i;
  return algorithms.length > 0 && algorithms.every((algorithm) => unverified.test(algorithm));
};
const mayLackDpop = ({ provider, metadata }: Evidence) =>
  provider.dpop === 'required' && metadata?.dpop_signing_alg_values_supported === undefined;
const wantsSecret = (all: Evidence) =>
  lacks(all, 'token_endpoint_auth_methods', 'none') &&
  !all.shown.some(({ code }) => code === 'token-endpoint' || code === 'client-unknown');
const lacksRevocation = ({ metadata }: Evidence) =>
  metadata?.revocation_endpoint === undefined && !metadata?.leftOutEndpoints?.includes('revocation_endpoint');

const idTokenRows = [
  row.error('algorithms', signsOtherwise)`
    The provider signs ID tokens with ${names('id_token_signing_alg_values')} only. A public client can't verify "none" and "HS…", which need a secret.
    Let the provider sign with a public-key algorithm, such as RS256 or ES256.`,
  row.warning('no-id-token', (all) => lacks(all, 'scopes', 'openid'))`
    The provider doesn't list the scope "openid", so it may issue no ID token, and no one could sign in.
    Look in its documents for OpenID Connect.`,
  row.warning('email-unverified', (all) => asksForEmail(all) && lacks(all, 'claims', 'email_verified'))`
    "allowed" asks for "email", which counts only with the claim "email_verified", and the provider doesn't list that.
    If its ID tokens have none, no one can sign in: use another claim in "allowed".`,
];

const renewedSilently = () =>
  'Sessions then last as long as the session at the provider, and are renewed silently.';

const codeRows = [
  row.warning('code-flow-missing', (all) => lacks(all, 'response_types', 'code') && !all.isAccepted)`
    The provider offers the response types ${names('response_types')}, and not "code".
    Enable the authorization code flow for this client.`,
  row.warning('pkce', (all) => lacks(all, 'code_challenge_methods', 'S256'))`
    The provider offers PKCE with ${names('code_challenge_methods')}, and Latchkey always uses S256.
    Enable PKCE with S256 for this client.`,
  row.warning(
    'no-refresh-token',
    (all) => lacks(all, 'grant_types', 'refresh_token') && !all.takesRefreshTokens,
  )`
    There may be no refresh token: the provider lists the grants ${names('grant_types')} only. ${renewedSilently}
    Enable refresh tokens for this client, if the provider has them.`,
  row.warning('no-refresh-token', (all) => isOffline(all) && lacks(all, 'scopes', 'offline_access'))`
    There may be no refresh token: the provider doesn't list the scope "offline_access". ${renewedSilently}
    Look in its documents for what gives a refresh token, and set "scope" or "authorizationParameters".`,
  row.warning('no-refresh-token', (all) => !isOffline(all) && all.list('scopes').includes('offline_access'))`
    There may be no refresh token: "scope" doesn't ask for "offline_access". ${renewedSilently}
    Add "offline_access" to "scope".`,
  row.error('dpop', ({ dpopProblem }) => dpopProblem !== '')`
    DPoP can't work: ${({ dpopProblem }) => dpopProblem}.
    Set "dpop" to "auto" or "off".`,
  row.warning('dpop', mayLackDpop)`
    The configuration requires DPoP, and the provider doesn't say that it supports it.
    If a sign-in fails with "token_type", set "dpop" to "auto" or "off".`,
  row.warning('secret-wanted', wantsSecret)`
    The provider lists only ways to sign in with a client secret, which an extension can't keep.
    ${toPublicClient}`,
];

const minutes = ({ skewSeconds }: Evidence) => `${Math.round(Math.abs(skewSeconds) / 60)} minutes`;

const documentRows = [
  // A request for a device code would leave one open at the provider.
  row.warning('not-checked', ({ provider }) => provider.deviceFlow === 'only')`
    The device flow isn't checked.
    Sign in once and see.`,
  row.warning('scope', ({ unlistedScopes }) => unlistedScopes.length > 0)`
    The provider doesn't list the scope ${({ unlistedScopes }) => quoteNames(unlistedScopes)}. It may refuse or ignore that.
    Correct "scope", or register the scope at the provider.`,
  row.note('no-revocation', lacksRevocation)`
    The provider names no endpoint to revoke tokens: a sign-out deletes them on this device alone.`,
  row.note('no-logout', ({ metadata }) => !metadata?.end_session_endpoint)`
    The provider has no page that ends its session, so the account menu won't offer "Sign out of <provider> too".`,
  row.warning('clock', ({ skewSeconds }) => Math.abs(skewSeconds) > futureToleranceSeconds)`
    The clock of the provider is ${minutes} ${({ skewSeconds }) => (skewSeconds > 0 ? 'ahead of' : 'behind')} that of this computer.
    Turn on automatic date and time on whichever is wrong. A device whose clock is wrong can fail to sign in.`,
];
