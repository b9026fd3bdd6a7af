// Reads the environment variables that choose what the explorer runs.

import * as v from 'valibot';
import { allNames } from './events.ts';
import type { Order } from './run.ts';
import { faultKinds } from './stage.ts';
import { stateNames } from './states.ts';

export { readSeed } from '../seed.ts';

interface Environment {
  readonly LATCHKEY_ORDER?: string | undefined;
}

const momentSchema = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.literal('rest'),
  v.strictObject({ before: v.string() }),
  v.strictObject({ during: v.string() }),
  v.strictObject({ after: v.string() }),
]);

const orderSchema = v.strictObject({
  manner: v.picklist(['chromium', 'firefox']),
  state: v.picklist(stateNames),
  events: v.array(v.strictObject({ event: v.picklist(allNames), at: momentSchema })),
  policy: v.union([v.picklist(['oldest', 'newest']), v.strictObject({ seed: v.number() })]),
  fault: v.nullable(
    v.strictObject({
      what: v.picklist(faultKinds),
      of: v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(1)), v.string()]),
      skips: v.optional(v.number()),
      times: v.optional(v.number()),
    }),
  ),
  ending: v.picklist(['agrees', 'closes']),
});

/** The order to repeat: `LATCHKEY_ORDER`, or null if it is not set or empty. Throws if it is no order. */
export function readOrder({ LATCHKEY_ORDER: text }: Environment = process.env): Order | null {
  if (text === undefined || text === '') return null;
  const { success, output, issues } = v.safeParse(orderSchema, parse(text));
  if (success) return output;
  const [{ message }] = issues;
  const path = v.getDotPath(issues[0]);
  throw new Error(
    `LATCHKEY_ORDER${path === null ? '' : `, ${path}`}: ${message}. Copy it whole from the message of a failure.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('LATCHKEY_ORDER is not JSON. Copy it whole from the message of a failure.', { cause });
  }
}
