// Makes the order of a finding as short as it can be, and tells it to people.

import { sizeOf, type Finding } from './explore.ts';
import { invariants } from './invariants.ts';
import { runOrder, type Moment, type Order } from './run.ts';

/** The shortest order found that violates the same. */
export async function shrink(finding: Finding): Promise<Finding> {
  let shortest = finding;
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const order of shorterThan(shortest.order)) {
      const outcome = await runOrder(order);
      const violation = outcome.violations.find(({ invariant }) => invariant === finding.violation.invariant);
      if (violation === undefined) continue;
      shortest = { order, outcome, violation };
      isShorter = true;
      break;
    }
  }
  return shortest;
}

/** Orders that are a little shorter, the shortest first. */
function shorterThan(order: Order): Order[] {
  const { events, fault, policy } = order;
  const without = events.map((_event, index) => events.filter((_other, other) => other !== index));
  const earlier = events.flatMap((event, index) =>
    toEarlier(event.at).map((at) => events.with(index, { ...event, at })),
  );
  return [
    ...without.filter(({ length }) => length > 0).map((fewer) => ({ ...order, events: fewer })),
    ...(fault === null ? [] : [{ ...order, fault: null }]),
    ...(policy === 'oldest' ? [] : [{ ...order, policy: 'oldest' as const }]),
    ...earlier.map((sooner) => ({ ...order, events: sooner })),
  ].filter((shorter) => sizeOf(shorter) < sizeOf(order));
}

/** Only a moment that is a number of steps can be earlier. */
function toEarlier(at: Moment): readonly number[] {
  if (typeof at !== 'number') return [];
  return [0, Math.floor(at / 2), at - 1].filter((earlier) => earlier >= 0 && earlier < at);
}

/** Tells the steps of an order, and how to repeat it. */
export function tell({ order, violation, outcome }: Finding): string {
  return [
    `${invariants[violation.invariant]} Broken: ${violation.detail}.`,
    `${order.manner}, ${order.state}${order.policy === 'oldest' ? '' : `; calls pass in the order ${JSON.stringify(order.policy)}`}`,
    ...outcome.story,
    `To repeat it: LATCHKEY_ORDER='${JSON.stringify(order)}' npx vitest run --project unit tests/background/interleavings.test.ts`,
  ].join('\n  ');
}
