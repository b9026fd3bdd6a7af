// The smallest popup: its HTML is all that it shows.

import { markReady } from '../../../../src/popup/after-paint.ts';

markReady();
