import { expect, test } from 'vitest';
import { createScriptedProvider, type Script } from '../support/scripted-provider.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = (time: string) => () => Date.parse(time);
const seconds = (time: string) => Date.parse(time) / 1000;
const noon = '2026-11-21T12:00:00Z';

const signIn = (script: Script) => createScriptedProvider({ nowMs: at(noon), ...script }).signIn();

test.each([3 * hour, -3 * hour, 400 * 24 * hour, 20 * minute])(
  'a device that is %i ms ahead can sign in if responses have a date',
  async (deviceAheadMs) => {
    await expect(signIn({ deviceAheadMs })).resolves.toBeDefined();
  },
);

test.each([-2 * minute, -5 * minute, 3 * minute])(
  'a device that is %i ms ahead can sign in if no response has a date',
  async (deviceAheadMs) => {
    await expect(signIn({ deviceAheadMs, sendsDate: false })).resolves.toBeDefined();
    const nbf = seconds(noon);
    await expect(signIn({ deviceAheadMs, sendsDate: false, claims: { nbf } })).resolves.toBeDefined();
  },
);

test.each([
  [3 * hour, 'This device says 2026-11-21 15:00 UTC, the provider says 2026-11-21 12:00 UTC.'],
  [-3 * hour, 'This device says 2026-11-21 09:00 UTC, the provider says 2026-11-21 12:00 UTC.'],
  [11 * minute, 'This device says 2026-11-21 12:11 UTC, the provider says 2026-11-21 12:00 UTC.'],
])(
  'a device that is %i ms ahead sees both times if responses have no date',
  async (deviceAheadMs, detail) => {
    const refused = signIn({ deviceAheadMs, sendsDate: false });
    await expect(refused).rejects.toMatchObject({ code: 'clock-wrong', detail });
  },
);

test('a wrong device clock is reported if the date and the token both disagree with it', async () => {
  const claims = { iat: seconds('2026-11-21T12:30:00Z'), exp: seconds('2026-11-21T12:35:00Z') };
  await expect(signIn({ claims, deviceAheadMs: 3 * hour })).rejects.toMatchObject({
    code: 'clock-wrong',
    detail: 'This device says 2026-11-21 15:00 UTC, the provider says 2026-11-21 12:00 UTC.',
  });
});

test('a token that is not valid yet is reported as a wrong clock if the device is behind', async () => {
  const refused = signIn({ claims: { nbf: seconds(noon) }, deviceAheadMs: -3 * hour, sendsDate: false });
  await expect(refused).rejects.toMatchObject({ code: 'clock-wrong' });
});

test.each<[string, Script]>([
  [
    'a token dated hours ahead from a provider with a correct date',
    { claims: { iat: seconds('2026-11-21T15:00:00Z'), exp: seconds('2026-11-21T15:05:00Z') } },
  ],
  [
    'a token from last week from a provider with a correct date',
    { claims: { iat: seconds('2026-11-14T12:00:00Z'), exp: seconds('2026-11-14T12:05:00Z') } },
  ],
  ['a token that expires before it is issued', { claims: { exp: seconds(noon) - 3600 }, sendsDate: false }],
  ['a token with an impossible time', { claims: { iat: 1e300 }, sendsDate: false }],
  ['a token on a device that is six minutes behind', { deviceAheadMs: -6 * minute, sendsDate: false }],
  ['a token on a device that is ten minutes ahead', { deviceAheadMs: 10 * minute, sendsDate: false }],
  [
    'a token dated hours ahead on a device that is ten minutes ahead',
    { deviceAheadMs: 10 * minute, claims: { iat: seconds(noon) + 10_800, exp: seconds(noon) + 11_100 } },
  ],
  [
    'an expired token without iat on a device with a wrong clock',
    { deviceAheadMs: 3 * hour, claims: { iat: undefined, exp: seconds(noon) - 3600 } },
  ],
  [
    'a token with another nonce on a device with a wrong clock',
    { claims: { nonce: 'x' }, deviceAheadMs: hour },
  ],
  [
    'a token with an authentication that is too old',
    { provider: { maxAgeSeconds: 60 }, claims: { auth_time: 7 } },
  ],
])('%s is rejected without blaming the clock', async (_title, script) => {
  await expect(signIn(script)).rejects.toMatchObject({ code: 'response-rejected' });
});
