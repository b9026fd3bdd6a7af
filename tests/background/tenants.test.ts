// A session at a provider with many tenants: the issuer of the tenant and the subject identify the user.

import { expect, test } from 'vitest';
import type { StartFeature } from '../../src/background/feature/feature-worker.ts';
import type { Command } from '../../src/session/commands.ts';
import { hour, setUpWorker } from '../support/worker-setup.ts';
import { issuer, provider as scripted, type Script } from '../support/scripted-provider.ts';

const template = `${issuer}/{tenantid}/v2.0`;
const [contoso, fabrikam] = ['11111111-2222-3333-4444-555555555555', '99999999-aaaa-bbbb-cccc-dddddddddddd'];
const issuerOf = (tenant: string) => `${issuer}/${tenant}/v2.0`;
const userOf = (tenant: string) => ({ iss: issuerOf(tenant), tid: tenant });

function setUpScene(startFeature: StartFeature = () => undefined) {
  const script: Script = {
    metadata: { issuer: template, authorization_response_iss_parameter_supported: false },
    claims: userOf(contoso),
  };
  const worker = setUpWorker({
    script,
    startFeature,
    providers: [{ ...scripted, issuerTemplate: template }],
  });
  const withoutIssuer = (url: string) => {
    const redirect = new URL(url);
    redirect.searchParams.delete('iss');
    return redirect.href;
  };
  /** Signs in with the command `request`, as the user that the script describes. */
  const signIn = async (request?: Command) => {
    const window = await worker.beginShown(request);
    window.redirect(withoutIssuer(worker.provider.approve(window.url)));
    return worker.boardWhere((board) => board.session.status !== 'signing-in');
  };
  return { worker, script, clock: worker.clock, signIn, withoutIssuer };
}

const profile = { subject: 'ada', issuer: issuerOf(contoso) };

test('the board names the issuer of the user, and the session is renewed for the same tenant', async () => {
  const { worker, script, clock, signIn } = setUpScene();
  expect((await signIn()).session).toMatchObject({ status: 'signed-in', profile });
  clock.nowMs += hour;
  script.claims = { ...userOf(contoso), nonce: undefined };
  script.token = { access_token: 'access-2', refresh_token: 'refresh-2' };
  await worker.open();
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.reopen();
  expect(worker.session()).toMatchObject({ status: 'signed-in', profile, problem: null });
});

test('the same subject of another tenant is another user', async () => {
  const issuers: (string | undefined)[] = [];
  const { worker, script, signIn } = setUpScene(({ onSession }) =>
    onSession((user) => void issuers.push(user?.issuer)),
  );
  await signIn();
  script.claims = userOf(fabrikam);
  script.token = { refresh_token: 'refresh-2' };
  const { session } = await signIn({ type: 'use-another-account' });
  expect(session).toMatchObject({ profile: { subject: 'ada', issuer: issuerOf(fabrikam) } });
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
  expect(issuers).toEqual([undefined, issuerOf(contoso), issuerOf(fabrikam)]);
});

test('a silent sign-in at another tenant ends the session, and its token is revoked', async () => {
  const { worker, script, clock, signIn, withoutIssuer } = setUpScene();
  script.token = { refresh_token: undefined };
  await signIn();
  clock.nowMs += hour;
  script.claims = userOf(fabrikam);
  script.token = { refresh_token: 'refresh-2' };
  worker.silence.answer = (url) => Promise.resolve(withoutIssuer(worker.provider.approve(url)));
  await worker.open();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' }, accounts: [profile] });
  await expect.poll(worker.revoked).toContain('refresh-2');
});

test('a session of one tenant goes on when the provider gets a template, and ends when it loses it', async () => {
  const { worker, signIn } = setUpScene();
  await signIn();
  await worker.reopen({ issuerTemplate: null, issuer: issuerOf(contoso) });
  expect(worker.session()).toMatchObject({ status: 'signed-in' });
  await worker.reopen({ issuerTemplate: null });
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: { code: 'expired' } });
});
