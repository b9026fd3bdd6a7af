// Providers of plain OAuth 2, without ID tokens.

import type { Part } from '../background/part.ts';
import { oauthTokens } from '../background/session/oauth-tokens.ts';
import { findUserApiMistakes } from '../config/rules.ts';
import { oauthFlow } from '../oidc/oauth.ts';

export const part: Part = {
  flowOf: ({ userApi }) => (userApi === null ? null : oauthFlow),
  plainTokens: oauthTokens,
  findMistakes: findUserApiMistakes,
};
