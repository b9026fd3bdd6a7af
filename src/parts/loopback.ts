// Firefox's loopback redirect URI, for providers that refuse a host which the developer doesn't own.

import type { Part } from '../background/part.ts';
import { toSignInUri } from '../config/loopback.ts';

export const part: Part = { toSignInUri };
