// The tests that hold the claims of docs/security-claims.md and docs/security.md, by the claim's number: each test by its file, and
// the start of its title. tests/docs.test.ts writes docs/security-tests.md from this, and finds each test.

/** The file of a test, and how its title begins. */
type Evidence = readonly (readonly [file: string, title: string])[];

export const securityClaims: Readonly<Record<string, Evidence>> = {
  W1: [['tests/bridge/line/line.test.ts', 'is ignored if it comes from']],
  W2: [['tests/build.test.ts', 'has no %s that']],
  W3: [['tests/build.test.ts', 'asks for exactly']],
  W4: [['tests/background/own-window.test.ts', 'that opens while a sign-in starts']],
  A1: [
    ['tests/config/policy.test.ts', 'addresses on a host'],
    ['tests/config/policy.test.ts', 'each line that a refused policy is told'],
  ],
  A2: [
    ['tests/config/policy.test.ts', 'narrows who may sign in, and never'],
    ['tests/config/policy.test.ts', 'narrows who may sign in at an issuer'],
    ['tests/config/policy.test.ts', 'another member for the e-mail'],
    ['tests/config/policy.test.ts', 'may not get around the "allowed"'],
    ['tests/config/policy.test.ts', 'may not choose who answers'],
  ],
  A3: [
    ['tests/background/policy.test.ts', 'never offers what a policy excludes'],
    ['tests/background/policy.test.ts', 'offers nothing in a copy'],
  ],
  A4: [['tests/background/policy.test.ts', 'keeps %s when a wrong one comes']],
  A5: [['tests/background/interleavings.test.ts', 'whatever happens']],
  N1: [['tests/oidc/authorize.test.ts', 'a redirect with %s is rejected']],
  N2: [
    ['tests/oidc/id-token.test.ts', 'an ID token with %s is rejected'],
    ['tests/oidc/id-token.test.ts', 'a further audience beside a trusted one'],
    ['tests/field/keys.test.ts', 'the private part of the key'],
  ],
  N3: [
    ['tests/oidc/renew.test.ts', 'with %s is not kept'],
    ['tests/oidc/renew.test.ts', 'that the key with its ID has not signed'],
    ['tests/background/lost-renewal.test.ts', 'of another party has its refresh token revoked'],
  ],
  N4: [
    ['tests/oidc/tenant-issuer.test.ts', 'an ID token with an issuer'],
    ['tests/oidc/tenant-issuer.test.ts', 'a token signed by a key for'],
  ],
  N5: [
    ['tests/parts/id-token.test.ts', 'a redirect %s is rejected'],
    ['tests/oidc/id-token.test.ts', 'an ID token with %s is rejected'],
    ['tests/background/id-token-response.test.ts', 'a response to an earlier request'],
  ],
  N6: [
    ['tests/oidc/redeem.test.ts', 'UserInfo with %s is discarded'],
    ['tests/field/answers.test.ts', 'is not used if it %s'],
  ],
  N7: [
    ['tests/background/closed-details.test.ts', 'own words of a provider'],
    ['tests/oidc/tokens.test.ts', 'leaves out what repeats'],
  ],
  N8: [
    ['tests/oidc/plain-words.test.ts', '%s'],
    ['tests/oidc/renew.test.ts', 'never prints the refresh token'],
  ],
  N9: [
    ['tests/linear-time.test.ts', 'no regular expression'],
    ['tests/oidc/exchange.test.ts', 'a body over the maximum size'],
  ],
  N10: [['tests/background/provider/provider-access.test.ts', 'belong to one provider']],
  N11: [
    ['tests/oidc/demo-provider.test.ts', 'no request carries a cookie'],
    ['tests/oidc/diagnose.test.ts', 'sends a fresh request'],
  ],
  N12: [['tests/config/url.test.ts', 'checkIssuer rejects']],
  R1: [['tests/tools/relay/answer.test.ts', 'never comes back']],
  R2: [['tests/tools/relay/relay-property.test.ts', 'nothing but the named fields']],
  R3: [['tests/architecture.test.ts', 'no file of the extension imports the relay']],
  O1: [['tests/oidc/plain-server.test.ts', 'a code that was issued for another request']],
  O2: [['tests/parts/oauth-flow.test.ts', 'rejects a redirect with']],
  O3: [
    ['tests/parts/oauth-flow.test.ts', 'fails if the token endpoint answers'],
    ['tests/parts/oauth-flow.test.ts', 'ignores the ID token'],
  ],
  O4: [
    ['tests/parts/user-api.test.ts', 'whatever the user API answers'],
    ['tests/parts/user-api.test.ts', 'rejects a number'],
    ['tests/background/plain-oauth.test.ts', 'a sign-in whose user API fails leaves the session'],
  ],
  O5: [
    ['tests/background/plain-oauth.test.ts', 'ends the session at its renewal'],
    ['tests/background/plain-oauth.test.ts', 'ends the session if %s, and is revoked'],
  ],
  O6: [['tests/config/odd-configurations.test.ts', 'each line that a refused configuration']],
  D1: [
    ['tests/parts/device-request.test.ts', 'rejects an answer with'],
    ['tests/parts/device-request.test.ts', 'opens, with a page'],
  ],
  D2: [['tests/parts/device-request.test.ts', 'rejects %s, and hands over']],
  D3: [['tests/background/device-sign-in.test.ts', 'the secret is in no storage']],
  D4: [['tests/background/device-sign-in.test.ts', 'tokens that come after a cancel']],
  D5: [['tests/build.test.ts', 'holds nothing of a sign-in with a code']],
  P1: [
    ['tests/architecture.test.ts', 'no message, board or page'],
    ['tests/architecture.test.ts', 'every import follows'],
  ],
  P2: [['tests/browser/secrets.test.ts', 'no token is outside the worker']],
  P3: [['tests/oidc/tokens.test.ts', 'toProfile']],
  P4: [['tests/background/journal.test.ts', 'no journal entry and no report']],
  P5: [
    [
      'tests/background/toolbar/toolbar.test.ts',
      'the toolbar is set again after a restart of the browser, and',
    ],
  ],
  L1: [
    ['tests/background/record/records.test.ts', 'is not extractable'],
    ['tests/background/record/records.test.ts', 'contains nothing in plain text'],
    ['tests/background/record/records.test.ts', "is in the browser's memory alone"],
  ],
  L2: [['tests/background/staying-signed-in.test.ts', 'browser instead of device']],
  L3: [['tests/browser/secrets.test.ts', 'nothing of the session can be read']],
  L4: [['tests/browser/other-pages.test.ts', '%s shows the same session']],
  L5: [['tests/background/record/records.test.ts', 'is replaced by each write']],
  L6: [
    ['tests/background/remembered-accounts.test.ts', 'a sign-out leaves what is shown'],
    ['tests/background/remembered-accounts.test.ts', 'the last three accounts are kept'],
    ['tests/background/remembered-accounts.test.ts', 'an account is forgotten at once'],
    ['tests/background/remembered-accounts.test.ts', 'where accounts are not remembered, %s'],
    ['tests/background/remembered-accounts.test.ts', 'a policy removes the accounts'],
  ],
  G1: [
    ['tests/background/arrived-tokens.test.ts', 'no token stays alive that nothing holds'],
    ['tests/background/arrived-tokens.test.ts', 'a token is kept until the user signs out'],
    ['tests/background/record/walk.test.ts', 'whatever happens to the record'],
    ['tests/background/interleavings.test.ts', 'whatever happens'],
  ],
  G2: [
    ['tests/background/sign-out.test.ts', 'a sign-out %s forgets the user at once'],
    ['tests/background/sign-out.test.ts', 'an access token without a refresh token is revoked'],
  ],
  G3: [['tests/background/sign-out.test.ts', 'a sign-out beats a renewal']],
  G4: [
    ['tests/background/policy.test.ts', 'sends no token to an API'],
    ['tests/background/apis.test.ts', 'an update that names the API differently'],
    ['tests/background/apis.test.ts', 'the first call to an API with a token of its own'],
  ],
  G5: [
    ['tests/background/step-up.test.ts', 'the session stays as it was'],
    ['tests/oidc/challenge.test.ts', 'a challenge asks for %s'],
    ['tests/background/step-up.test.ts', "an API's challenge never lowers"],
  ],
  G6: [
    ['tests/background/step-up.test.ts', "an API's challenge can't name"],
    ['tests/oidc/challenge.test.ts', 'not %s'],
  ],
  G7: [['tests/background/apis.test.ts', 'goes to no API before it is narrowed']],
  G8: [
    ['tests/background/scenes.test.ts', 'a worker that is killed anywhere in %s'],
    ['tests/background/interleavings.test.ts', 'whatever happens'],
  ],
  G9: [['tests/background/failed-writes.test.ts', 'signs the user out, says so']],
  G10: [
    ['tests/background/renewal-pause.test.ts', 'fifty requests at a provider that fails'],
    ['tests/oidc/renew.test.ts', 'leaves the session as it is for %s'],
  ],
  G11: [
    ['tests/background/auto-sign-in.test.ts', 'another account than the last one'],
    ['tests/background/remembered-accounts.test.ts', 'where accounts are not remembered, no one'],
  ],
  G12: [['tests/background/sign-in.test.ts', 'a cancel before the session is stored']],
  G13: [
    ['tests/background/work-under-way.test.ts', '%s keeps the worker running, and delays an update'],
    ['tests/background/work-under-way.test.ts', 'with sessions in memory'],
  ],
  G14: [['tests/background/record/records.test.ts', 'of $type waits for the disk if it brings a token']],
};
