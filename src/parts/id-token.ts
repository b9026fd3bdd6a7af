// Providers that answer with the ID token itself.

import type { Part } from '../background/part.ts';
import { findIdTokenMistakes } from '../config/rules.ts';
import { idTokenFlow } from '../oidc/id-token-flow.ts';

export const part: Part = {
  flowOf: ({ userApi, responseType }) =>
    userApi === null && responseType === 'id_token' ? idTokenFlow : null,
  findMistakes: findIdTokenMistakes,
};
