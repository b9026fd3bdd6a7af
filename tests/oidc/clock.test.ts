import { expect, test } from 'vitest';
import { createScriptedProvider, type Script } from '../support/scripted-provider.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = (time: string) => () => Date.parse(time);
const seconds = (time: string) => Date.parse(time) / 1000;
const noon = '2026-11-21T12:00:00Z';

const signIn = (script: Script) => createScriptedProvider({ nowMs: at(noon), ...script }).signIn();

test.each([3 * hour, -3 * hour, 400 * 24 * hour, 20 * minute])(
  'a device that is ahead by %i ms signs in all the same where answers are dated',
  async (deviceAheadMs) => {
    await expect(signIn({ deviceAheadMs })).resolves.toBeDefined();
  },
);

test.each([
  [3 * hour, 'This device says 2026-11-21 15:00 UTC, the provider says 2026-11-21 12:00 UTC.'],
  [-3 * hour, 'This device says 2026-11-21 09:00 UTC, the provider says 2026-11-21 12:00 UTC.'],
  [11 * minute, 'This device says 2026-11-21 12:11 UTC, the provider says 2026-11-21 12:00 UTC.'],
])(
  'without a date, a device that is ahead by %i ms is told its time and the other',
  async (deviceAheadMs, detail) => {
    const refused = signIn({ deviceAheadMs, sendsDate: false });
    await expect(refused).rejects.toMatchObject({ code: 'clock-wrong', detail });
  },
);

test('a device that two clocks of the provider speak against is told', async () => {
  const claims = { iat: seconds('2026-11-21T12:30:00Z'), exp: seconds('2026-11-21T12:35:00Z') };
  await expect(signIn({ claims, deviceAheadMs: 3 * hour })).rejects.toMatchObject({
    code: 'clock-wrong',
    detail: 'This device says 2026-11-21 15:00 UTC, the provider says 2026-11-21 12:00 UTC.',
  });
});

test('a token that is not valid yet on a device that is behind is told as the wrong clock', async () => {
  const refused = signIn({ claims: { nbf: seconds(noon) }, deviceAheadMs: -3 * hour, sendsDate: false });
  await expect(refused).rejects.toMatchObject({ code: 'clock-wrong' });
});

test.each<[string, Script]>([
  [
    'a token of the wrong hour, from a provider whose answers have the right one',
    { claims: { iat: seconds('2026-11-21T15:00:00Z'), exp: seconds('2026-11-21T15:05:00Z') } },
  ],
  [
    'a token of last week, from a provider whose answers are of today',
    { claims: { iat: seconds('2026-11-14T12:00:00Z'), exp: seconds('2026-11-14T12:05:00Z') } },
  ],
  ['a token that ends before it begins', { claims: { exp: seconds(noon) - 3600 }, sendsDate: false }],
  ['a token of a time that no clock has', { claims: { iat: 1e300 }, sendsDate: false }],
  ['a device that is some minutes behind', { deviceAheadMs: -5 * minute, sendsDate: false }],
  ['a device that is ten minutes ahead', { deviceAheadMs: 10 * minute, sendsDate: false }],
  [
    'a token of another hour, on a device that is ten minutes ahead',
    { deviceAheadMs: 10 * minute, claims: { iat: seconds(noon) + 10_800, exp: seconds(noon) + 11_100 } },
  ],
  [
    'an old token that does not say when it was issued, on a device with a wrong clock',
    { deviceAheadMs: 3 * hour, claims: { iat: undefined, exp: seconds(noon) - 3600 } },
  ],
  ['another nonce on a device with a wrong clock', { claims: { nonce: 'x' }, deviceAheadMs: hour }],
  ['a sign-in that is too old', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: 7 } }],
])('%s is rejected, and no clock is blamed', async (_title, script) => {
  await expect(signIn(script)).rejects.toMatchObject({ code: 'response-rejected' });
});
