// A sign-in with a code at a provider of plain OAuth 2, in the shape of GitHub: no ID token, errors with status 200, and
// an access token for ever.

import { expect, test } from 'vitest';
import { refusal, showingCode } from '../support/device-scene.ts';
import { issuer, plainSettings, provider as scripted, type Answer } from '../support/scripted-provider.ts';

const metadata = { ...plainSettings.metadata, device_authorization_endpoint: `${issuer}/device` };
const github = { ...scripted, ...plainSettings, metadata, deviceFlow: 'only' } as const;

const token = {
  id_token: undefined,
  refresh_token: undefined,
  expires_in: undefined,
  token_type: 'bearer',
  scope: 'read:user,user:email',
};
const pending = () => refusal('authorization_pending', 200);

const show = (answers: Record<string, Answer> = {}) =>
  showingCode(pending, { providers: [github], script: { token, answers } });

test('signs in the person of the user API', async () => {
  const { worker, pass, agree, asked } = await show();
  await pass(5);
  agree();
  await pass(5);
  expect(asked).toEqual([5, 10]);
  await worker.expectSession({ status: 'signed-in', profile: { subject: '1815' }, problem: null });
  expect(worker.provider.paths()).toEqual(['/device', '/token', '/token', '/user']);
});

test('has the access token revoked if the user API fails', async () => {
  const { worker, pass, agree } = await show({ '/user': new Response('', { status: 503 }) });
  agree();
  await pass(5);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'provider-unreachable' } });
  const revoked = () => worker.revoked();
  await expect.poll(revoked).toEqual(['access-1']);
});
