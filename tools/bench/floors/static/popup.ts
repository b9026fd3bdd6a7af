// The smallest popup: its HTML is all that it shows.

import { markPaint } from '../mark-paint.ts';

markPaint();
