// Sign-ins with a code (RFC 8628).

import type { Part } from '../background/part.ts';
import { createDeviceSignIn } from '../background/session/device.ts';
import { findDeviceMistakes } from '../config/config.ts';

export const part: Part = { createDeviceSignIn, findMistakes: findDeviceMistakes };
