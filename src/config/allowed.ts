// The rules for "allowed": who may sign in, by the values of claims.

import { describe, type Rule } from './config-error.ts';
import type { Provider } from './provider.ts';
import { safe, type Detail } from '../session/detail.ts';

/**
 * Whether a claim's value is the allowed one. Case counts, except for A to Z in an email: providers send it as the user once
 * typed it, and no mail service treats two spellings as different people. Letters beyond ASCII stay, because a few of them
 * would become one of A to Z.
 */
export function isSameValue(claim: string, value: unknown, allowed: unknown): boolean {
  const toCompared = (one: unknown) =>
    claim === 'email' && typeof one === 'string'
      ? one.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
      : one;
  return toCompared(value) === toCompared(allowed);
}

/** Names a managed policy in a detail; null if it names no organization. */
export function toPolicyName(by: string | null): Detail {
  return safe(by === null ? 'policy' : `policy of ${by}`);
}

/** For each claim by which `limits` decide who may sign in, their values that `allowed` has too. */
export function findCommonValues(
  { allowed }: Provider,
  limits: Provider | undefined,
): readonly (readonly [claim: string, values: Provider['allowed'][string]])[] {
  return Object.entries(limits?.allowed ?? {}).map(([claim, values]) => {
    const own = new Map(Object.entries(allowed)).get(claim) ?? values;
    return [claim, values.filter((value) => own.some((one) => isSameValue(claim, one, value)))];
  });
}

/** A part of an address, such as its domain, would let no one in. */
export function findPartialEmails({ allowed }: Provider): Rule[] {
  return (allowed['email'] ?? []).map((value, at) => [
    !isWholeAddress(String(value)),
    ['allowed', 'email', at],
    `${describe(value)}; expected a whole address, such as "ada@example.com"; for a domain use a claim that holds it, such as "hd"`,
  ]);
}

function isWholeAddress(text: string): boolean {
  const parts = text.split('@');
  return parts.length === 2 && !parts.includes('') && !text.includes('*');
}
