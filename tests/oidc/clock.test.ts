import { describe, expect, test, vi } from 'vitest';
import { createProviderClock } from '../../src/oidc/http.ts';
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
    for (const claims of [{}, { nbf: seconds(noon) }])
      await expect(signIn({ deviceAheadMs, sendsDate: false, claims })).resolves.toBeDefined();
  },
);

/** A token that is dated so many seconds after noon, the time of the provider. */
const dated = (later: number) => ({ iat: seconds(noon) + later, exp: seconds(noon) + later + 300 });
const notYet = { nbf: seconds(noon) };
const undated = { sendsDate: false };

test.each<[string, Script, device: string]>([
  ['3 h ahead, if responses have no date', { ...undated, deviceAheadMs: 3 * hour }, '15:00'],
  ['3 h behind, if responses have no date', { ...undated, deviceAheadMs: -3 * hour }, '09:00'],
  ['3 h behind, for one not valid yet', { ...undated, deviceAheadMs: -3 * hour, claims: notYet }, '09:00'],
  ['11 min ahead, if responses have no date', { ...undated, deviceAheadMs: 11 * minute }, '12:11'],
  ['3 h ahead, if date and token disagree', { deviceAheadMs: 3 * hour, claims: dated(1800) }, '15:00'],
])('a device that is %s, sees both times', async (_title, script, device) => {
  const detail = `This device says 2026-11-21 ${device} UTC, the provider says 2026-11-21 12:00 UTC.`;
  await expect(signIn(script)).rejects.toMatchObject({ code: 'clock-wrong', detail });
});

const withoutIssueTime = { iat: undefined, exp: seconds(noon) - 3600 };

test.each<[string, Script]>([
  ['a token dated hours ahead from a provider with a correct date', { claims: dated(10_800) }],
  ['a token from last week from a provider with a correct date', { claims: dated(-7 * 86_400) }],
  ['a token that expires before it is issued', { claims: { exp: seconds(noon) - 3600 }, sendsDate: false }],
  ['a token with an impossible time', { claims: { iat: 1e300 }, sendsDate: false }],
  ['a token on a device that is six minutes behind', { deviceAheadMs: -6 * minute, sendsDate: false }],
  ['a token on a device that is ten minutes ahead', { deviceAheadMs: 10 * minute, sendsDate: false }],
  ['such a token on a device ten minutes ahead', { deviceAheadMs: 10 * minute, claims: dated(10_800) }],
  ['an expired token without iat on a wrong clock', { deviceAheadMs: 3 * hour, claims: withoutIssueTime }],
  ['a token with another nonce on a wrong clock', { deviceAheadMs: hour, claims: { nonce: 'x' } }],
  ['an authentication that is too old', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: 7 } }],
])('%s is rejected without blaming the clock', async (_title, script) => {
  await expect(signIn(script)).rejects.toMatchObject({ code: 'response-rejected' });
});

const toDate = (atSeconds: number) => new Headers({ date: new Date(atSeconds * 1000).toUTCString() });

test('a clock tells of a difference that is more than noise, and of the first one', () => {
  const onChange = vi.fn();
  const clock = createProviderClock(onChange);
  const tellAfter = (later: number) => {
    clock.measure(toDate(1000 + later), 1_000_000, 1_000_000);
    return onChange.mock.calls.length;
  };
  expect([0, 4, 5, 9, 14].map(tellAfter)).toEqual([1, 1, 2, 2, 3]);
});

test('a stored difference counts until the clock is measured', () => {
  const clock = createProviderClock();
  clock.restore(60);
  expect(clock.skewSeconds()).toBe(60);
  clock.measure(toDate(1000), 1_000_000, 1_000_000);
  clock.restore(60);
  expect(clock.skewSeconds()).toBe(0);
});

describe('an answer that is read long after it was sent for', () => {
  const measure = (known: number | null, date: number, sent: number, received: number) => {
    const clock = createProviderClock();
    if (known !== null) clock.restore(known);
    clock.measure(toDate(date), sent * 1000, received * 1000);
    return clock.skewSeconds();
  };

  test.each<[string, number | null, date: number, received: number, number | null]>([
    ['keeps what is known, after a standby', 0, 1_001, 8_200, 0],
    ['keeps what is known, after a standby at its start', 60, 8_259, 8_200, 60],
    ['says nothing of a clock that is not known', null, 1_001, 8_200, null],
    ['corrects a difference that is impossible', 3_600, 1_001, 8_200, 0],
    ['shows a clock that is hours behind', null, 20_000, 8_200, 11_800],
    ['shows a wrong clock from a slow provider', null, 4_618, 1_020, 3_598],
  ])('%s', (_title, known, date, received, expected) => {
    expect(measure(known, date, 1_000, received)).toBe(expected);
  });

  test('says nothing if the clock was set back meanwhile', () => {
    expect(measure(60, 4_600, 4_600, 1_000)).toBe(60);
  });
});
