// Every part of the worker, as a build has them whose configuration needs them all.

import { part as apis } from '../../src/parts/apis.ts';
import { part as device } from '../../src/parts/device.ts';
import { part as idToken } from '../../src/parts/id-token.ts';
import { part as loopback } from '../../src/parts/loopback.ts';
import { part as oauth } from '../../src/parts/oauth.ts';
import { part as policy } from '../../src/parts/policy.ts';
import type { Part } from '../../src/background/part.ts';

export const parts: readonly Part[] = [apis, device, idToken, loopback, oauth, policy];
