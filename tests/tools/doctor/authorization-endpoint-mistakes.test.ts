import {
  answerWhen,
  broken,
  brokenInFirefox,
  firefoxUri,
  open,
  testMistakes,
  type Answer,
} from '../../support/doctor-scene.ts';
import {
  html,
  issuer,
  oauthError,
  redirect,
  redirectBack,
  type Replaced,
  type SentRequest,
} from '../../support/healthy-provider.ts';

const page = (answer: Answer): Replaced => ({ answers: { [`${issuer}/authorize`]: answer } });
const isFirefoxUri = ({ parameters }: SentRequest) => firefoxUri.test(parameters.get('redirect_uri') ?? '');

testMistakes('authorization endpoint', brokenInFirefox, [
  {
    title: 'a redirect URI that is not registered, in Firefox alone',
    replaced: page(
      answerWhen(isFirefoxUri, oauthError('invalid_redirect_uri'), redirectBack('login_required')),
    ),
    finds: {
      code: 'redirect-uri-unknown',
      targets: ['firefox'],
      text: /^The redirect URI is not registered/,
      remedy: /^Register exactly https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/,
    },
  },
]);

testMistakes('authorization endpoint', broken, [
  {
    title: 'a redirect URI that a page refuses in words',
    replaced: page(html('The callback URL is not allowed', 400)),
    finds: { code: 'redirect-uri-unknown', text: /probably not registered/ },
  },
  {
    title: 'a redirect URI that Entra refuses on a page with status 200',
    replaced: page(html('<script>{"message":"AADSTS50011: The redirect URI does not match"}</script>')),
    finds: { code: 'redirect-uri-unknown', text: /is not registered/ },
  },
  {
    title: 'a redirect URI that is refused on another page of the provider',
    replaced: {
      answers: {
        [`${issuer}/authorize`]: redirect('/error?error=redirect_uri_mismatch'),
        [`${issuer}/error`]: html('Something went wrong'),
      },
    },
    finds: { code: 'redirect-uri-unknown', text: /is not registered/ },
  },
  {
    title: 'a client ID that is not registered',
    replaced: page(oauthError('invalid_client', 'client is invalid')),
    finds: { code: 'client-unknown', text: /does not know this client ID/, remedy: /"clientId"/ },
  },
  {
    title: 'a client ID that is refused without a description',
    replaced: page(oauthError('invalid_client')),
    finds: { code: 'client-unknown', text: /: "invalid_client"\.$/ },
  },
  {
    title: 'a scope that the provider refuses',
    replaced: page(redirectBack('invalid_scope', { error_description: 'offline_access is unknown' })),
    finds: { code: 'scope', severity: 'error', text: /refuses the scope.*offline_access is unknown/ },
  },
  {
    title: 'a client without the code flow',
    replaced: page(redirectBack('unauthorized_client')),
    finds: { code: 'code-flow-missing', severity: 'error', text: /may not use the authorization code flow/ },
  },
  {
    title: 'a request that the provider refuses',
    replaced: page(redirectBack('invalid_request', { error_description: 'display is unsupported' })),
    finds: { code: 'request-refused', text: /display is unsupported/ },
  },
  {
    title: 'no sign-in page',
    replaced: page(html('Not found', 404)),
    finds: { code: 'page-broken', severity: 'error', text: /no sign-in page/ },
  },
  {
    title: 'a request that cannot be pushed',
    settings: { par: 'always' },
    finds: { code: 'request-refused', text: /cannot be pushed.*names no endpoint/ },
  },
]);

testMistakes('authorization endpoint', open, [
  {
    title: 'a provider that ignores prompt=none',
    replaced: page(html('Sign in')),
    finds: { code: 'redirect-uri-unclear', text: /cannot be seen from outside/ },
  },
  {
    title: 'a provider that shows its sign-in page with an error status to everyone',
    replaced: page(html('Sign in', 401)),
    finds: { code: 'redirect-uri-unclear', text: /cannot be seen from outside/ },
  },
  {
    title: 'a provider that goes on to another host',
    replaced: page(redirect('https://login.other.example/?next=1')),
    finds: { code: 'redirect-uri-unclear', text: /goes on to "login\.other\.example"/ },
  },
  {
    title: 'a provider that redirects in circles',
    replaced: page(redirect('/authorize')),
    finds: { code: 'redirect-uri-unclear', text: /in circles/ },
  },
  {
    title: 'an answer without the state',
    replaced: page(redirectBack('login_required', { state: 'another' })),
    finds: { code: 'response-rejected', severity: 'warning', text: /rejects the answer/ },
  },
  {
    title: 'a sign-in page that fails',
    replaced: page(html('Oops', 500)),
    finds: { code: 'page-broken', severity: 'warning', text: /HTTP 500/ },
  },
]);
