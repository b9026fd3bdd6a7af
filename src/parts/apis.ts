// APIs with tokens of their own.

import type { Part } from '../background/part.ts';
import { findApiMistakes } from '../config/rules.ts';

export const part: Part = { findMistakes: findApiMistakes };
