import { broken, testMistakes } from '../../support/doctor-scene.ts';
import { issuer, json, redirectBack, type Replaced } from '../../support/healthy-provider.ts';

const entra = 'https://login.microsoftonline.com';
const guid = '11111111-2222-3333-4444-555555555555';

/** A discovery document at another address than below the default issuer. */
const documentAt = (address: string, named: string): Replaced => ({
  document: { issuer: named },
  answers: {
    [`${address}/.well-known/openid-configuration`]: json({
      issuer: named,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
    [`${issuer}/authorize`]: redirectBack('login_required', { iss: named }),
  },
});

testMistakes('issuer', broken, [
  {
    title: 'a slash that the provider does not write',
    settings: { issuer: `${issuer}/` },
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer "https:\/\/id\.acme\.example", and "https:\/\/id\.acme\.example\/" is configured/,
      remedy: /write "issuer": "https:\/\/id\.acme\.example"\./,
    },
  },
  {
    title: 'a slash that the configuration lacks',
    replaced: {
      document: { issuer: `${issuer}/` },
      answers: { [`${issuer}/authorize`]: redirectBack('login_required', { iss: `${issuer}/` }) },
    },
    finds: { code: 'issuer-mismatch', text: /names the issuer/, remedy: /"https:\/\/id\.acme\.example\/"/ },
  },
  {
    title: 'an authorization endpoint as the issuer',
    settings: { issuer: `${issuer}/realms/acme/protocol/openid-connect/auth` },
    replaced: documentAt(`${issuer}/realms/acme`, `${issuer}/realms/acme`),
    finds: {
      code: 'discovery-missing',
      text: /no discovery document: ".*HTTP 404.*openid-connect\/auth\//,
      remedy: /Write "issuer": "https:\/\/id\.acme\.example\/realms\/acme"/,
    },
  },
  {
    title: 'the path of nothing as the issuer',
    settings: { issuer: 'https://other.acme.example/nothing' },
    finds: { code: 'discovery-missing', text: /no discovery document/, remedy: /Correct "issuer"/ },
  },
  {
    title: 'Entra with "common"',
    settings: { issuer: `${entra}/common/v2.0`, origins: [issuer] },
    replaced: documentAt(`${entra}/common/v2.0`, `${entra}/{tenantid}/v2.0`),
    finds: {
      code: 'issuer-template',
      text: /stands for many tenants/,
      remedy: /"issuerTemplate": "https:\/\/login\.microsoftonline\.com\/\{tenantid\}\/v2\.0"/,
    },
  },
  {
    title: 'External ID with its subdomain',
    settings: { issuer: `https://contoso.ciamlogin.com/${guid}/v2.0`, origins: [issuer] },
    replaced: documentAt(
      `https://contoso.ciamlogin.com/${guid}/v2.0`,
      `https://${guid}.ciamlogin.com/${guid}/v2.0`,
    ),
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer/,
      remedy:
        /"issuer": "https:\/\/1{8}.*v2\.0", "discoveryUrl": "https:\/\/contoso\..*openid-configuration", "origins": \["https:\/\/id\.acme\.example","https:\/\/contoso\.ciamlogin\.com"\]/,
    },
  },
  {
    title: 'B2C with the path of its policy',
    settings: { issuer: 'https://t.b2clogin.com/t.onmicrosoft.com/B2C_1_in/v2.0', origins: [issuer] },
    replaced: documentAt(
      'https://t.b2clogin.com/t.onmicrosoft.com/B2C_1_in/v2.0',
      `https://t.b2clogin.com/${guid}/v2.0/`,
    ),
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer/,
      remedy:
        /"discoveryUrl": "https:\/\/t\.b2clogin\.com\/t\.onmicrosoft\.com\/B2C_1_in\/v2\.0\/\.well-known/,
    },
  },
]);
