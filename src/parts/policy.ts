// An administrator's policy.

import type { Part } from '../background/part.ts';
import { createPolicy } from '../background/policy/policy.ts';

export const part: Part = { createPolicy };
