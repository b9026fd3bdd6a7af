// Every shape. Each profile that a configuration can use has one.

import type { Shape } from './shape.ts';
import { accounts } from './shapes/accounts.ts';
import { customers } from './shapes/customers.ts';
import { frameworks } from './shapes/frameworks.ts';
import { microsoft } from './shapes/microsoft.ts';
import { servers } from './shapes/servers.ts';
import { services } from './shapes/services.ts';
import { sites } from './shapes/sites.ts';
import { smallServers } from './shapes/small-servers.ts';
import { suites } from './shapes/suites.ts';
import { workforce } from './shapes/workforce.ts';

export const shapes: readonly Shape[] = [
  ...microsoft,
  ...services,
  ...servers,
  ...accounts,
  ...customers,
  ...workforce,
  ...smallServers,
  ...frameworks,
  ...sites,
  ...suites,
];
