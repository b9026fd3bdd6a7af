// Every shape. Each profile that a configuration can use has one.

import type { Shape } from './shape.ts';
import { accounts } from './shapes/accounts.ts';
import { servers } from './shapes/servers.ts';
import { services } from './shapes/services.ts';
import { workforce } from './shapes/workforce.ts';

export const shapes: readonly Shape[] = [...services, ...servers, ...accounts, ...workforce];
