// The purpose of the access token in an answer, as servers decide it from the token request and the authorization request.

/** The API that a token is for, "" for that of the sign-in; or the error in place of a token. */
type Purpose = { readonly api: string } | { readonly error: string };

/** Decides from the token request and the authorization request. */
export type PurposeRule = (form: URLSearchParams, sent: URLSearchParams) => Purpose;

const ofOpenId = ['openid', 'profile', 'email', 'offline_access'];

const namesOf = (scope: string | null) => (scope ?? '').split(' ').filter(Boolean);

/** The applications whose permissions are in a scope: `https://api.example` for `https://api.example/read`. */
function applicationsOf(scope: string | null): readonly string[] {
  const permissions = namesOf(scope).filter((name) => !ofOpenId.includes(name));
  return [...new Set(permissions.map((name) => name.replace(/\/[^/]*$/, '')))];
}

const isPart = (form: URLSearchParams, sent: URLSearchParams) => {
  const granted = namesOf(sent.get('scope'));
  return namesOf(form.get('scope')).every((name) => granted.includes(name));
};

/** The scope names permissions of one application, to which the user has consented at the sign-in. */
export const byPermission: PurposeRule = (form, sent) => {
  const consented = applicationsOf(sent.get('scope'));
  const asked = form.has('scope') ? applicationsOf(form.get('scope')) : consented;
  const [api = ''] = asked;
  const isOne = asked.length === 1 || consented.length === 0;
  if (form.has('resource') || form.has('audience') || !isOne) return { error: 'invalid_request' };
  return api === '' || consented.includes(api) ? { api } : { error: 'invalid_grant' };
};

/** The scope is a part of that of the sign-in. */
export const byScope: PurposeRule = (form, sent) =>
  isPart(form, sent) ? { api: applicationsOf(form.get('scope')).join(' ') } : { error: 'invalid_scope' };

/** The resource is one of the sign-in (RFC 8707 section 2.2). */
export const byResource: PurposeRule = (form, sent) => {
  const api = form.get('resource') ?? '';
  if (!isPart(form, sent)) return { error: 'invalid_scope' };
  return api === '' || sent.getAll('resource').includes(api) ? { api } : { error: 'invalid_target' };
};

/** The audience is one that the provider's policy for this client lists. Any other is ignored. */
export const byAudience =
  (policies: readonly string[]): PurposeRule =>
  (form) => ({ api: policies.find((audience) => audience === form.get('audience')) ?? '' });
