import {
  answerWhen,
  broken,
  brokenInFirefox,
  healthyToken,
  isExtension,
  isFirefox,
  less,
  open,
  testMistakes,
  type Answer,
} from '../../support/doctor-scene.ts';
import { html, issuer, json, oauthError, redirect, type Replaced } from '../../support/healthy-provider.ts';

const token = (answer: Answer): Replaced => ({ answers: { [`${issuer}/token`]: answer } });
const forbidden = () => new Response('', { status: 403 });

testMistakes('token endpoint', broken, [
  {
    title: 'an Origin that is not on the list, in each browser',
    replaced: token(answerWhen(isExtension, forbidden, healthyToken)),
    finds: {
      code: 'origin-refused',
      targets: ['chrome'],
      text: /the Origin of the extension, chrome-extension:\/\/[a-p]{32}: HTTP 403/,
      remedy: /Allow the origin chrome-extension:/,
    },
  },
  {
    title: 'an Origin that an error names',
    replaced: token(
      oauthError('invalid_request', 'origin chrome-extension://x not allowed for client: acme'),
    ),
    finds: { code: 'origin-refused', targets: ['chrome'], text: /origin chrome-extension:\/\/x not allowed/ },
  },
  {
    title: 'a firewall that refuses everything',
    replaced: token(forbidden),
    finds: { code: 'token-endpoint-broken', text: /refuses every request: HTTP 403/ },
  },
  {
    title: 'a client that the provider knows, and a secret that it wants',
    replaced: token(oauthError('invalid_client', '', 401)),
    finds: { code: 'secret-wanted', text: /knows the client and wants a secret/, remedy: /public client/ },
  },
  {
    title: 'a secret that is asked for in words',
    replaced: token(oauthError('invalid_request', 'client_secret is missing.')),
    finds: { code: 'secret-wanted', text: /client_secret is missing/ },
  },
  {
    title: 'a client that neither endpoint explains',
    replaced: {
      answers: {
        [`${issuer}/token`]: () => new Response('', { status: 401 }),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    finds: { code: 'secret-wanted', text: /wants a secret, or it does not know the client ID/ },
  },
  {
    title: 'a web client at Entra',
    replaced: token(
      oauthError(
        'invalid_request',
        'AADSTS9002326: Cross-origin token redemption is permitted only for the SPA.',
      ),
    ),
    finds: {
      code: 'client-type',
      text: /web or native client.*AADSTS9002326/,
      remedy: /Single-page application/,
    },
  },
  {
    title: 'a proxy that takes the Origin away from Entra',
    replaced: token(oauthError('invalid_request', 'AADSTS9002327: Tokens issued for the SPA client-type.')),
    finds: { code: 'client-type', text: /without the Origin.*AADSTS9002327/, remedy: /proxy/ },
  },
  {
    title: 'a confidential client at Entra',
    replaced: token(
      oauthError('invalid_client', 'AADSTS7000218: The request body must contain client_secret.', 401),
    ),
    finds: { code: 'secret-wanted', text: /AADSTS7000218/, remedy: /Single-page application/ },
  },
  {
    title: 'a client that may not redeem codes',
    replaced: token(oauthError('unauthorized_client')),
    finds: { code: 'client-type', text: /may not redeem codes/ },
  },
  {
    title: 'a client that neither endpoint knows to redeem codes',
    replaced: {
      answers: {
        [`${issuer}/token`]: oauthError('unauthorized_client', '', 403),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    finds: {
      code: 'client-type',
      text: /does not know the client ID or the redirect URI, or the client may/,
    },
  },
  {
    title: 'a secret wanted with status 200, in a form',
    replaced: token(() => new Response('error=incorrect_client_credentials&error_description=x')),
    finds: { code: 'secret-wanted', text: /incorrect_client_credentials/ },
  },
  {
    title: 'tokens for any code',
    replaced: token(json({ access_token: 'token-1', token_type: 'Bearer' })),
    finds: { code: 'code-unchecked', text: /tokens for a made-up code/ },
  },
  {
    title: 'nothing at the token endpoint',
    replaced: token(html('Not found', 404)),
    finds: { code: 'token-endpoint-broken', text: /Nothing answers at the token endpoint: HTTP 404/ },
  },
  {
    title: 'a token endpoint that redirects',
    replaced: token(redirect('https://www.acme.example/')),
    finds: { code: 'token-endpoint-broken', text: /redirects to "https:\/\/www\.acme\.example\/"/ },
  },
  {
    title: 'a provider that wants DPoP',
    replaced: token(oauthError('invalid_dpop_proof', 'A proof is required.')),
    finds: { code: 'dpop', text: /wants DPoP/, remedy: /"dpop" to "auto"/ },
  },
]);

testMistakes('token endpoint', brokenInFirefox, [
  {
    title: 'an Origin that is not on the list, in Firefox alone',
    replaced: token(answerWhen(isFirefox, forbidden, healthyToken)),
    finds: {
      code: 'origin-refused',
      targets: ['firefox'],
      text: /moz-extension:\/\/<random>: HTTP 403/,
      remedy: /any origin \("\*"\)/,
    },
  },
]);

testMistakes('token endpoint', open, [
  {
    title: 'a secret that the discovery document asks for',
    replaced: {
      document: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      ...token(oauthError('invalid_request', 'malformed')),
    },
    finds: {
      code: 'secret-wanted',
      severity: 'warning',
      text: /lists only ways to sign in with a client secret/,
    },
  },
  {
    title: 'an error of OAuth that says nothing, whatever its status',
    replaced: token(oauthError('try_again', '', 403)),
    finds: { code: 'token-answer-unclear', text: /HTTP 403, "try_again"/ },
  },
  {
    title: 'a token endpoint that fails',
    replaced: token(html('Oops', 503)),
    finds: { code: 'token-endpoint-broken', severity: 'warning', text: /HTTP 503/ },
  },
]);

testMistakes('token endpoint', less, [
  {
    title: 'errors with status 200',
    replaced: token(json({ error: 'bad_verification_code', error_description: 'The code is incorrect.' })),
    finds: {
      code: 'errors-with-200',
      severity: 'warning',
      text: /as a success: HTTP 200, "bad_verification_code/,
    },
  },
]);
