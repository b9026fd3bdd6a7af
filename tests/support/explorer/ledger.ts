// The provider's ledger: all tokens that it has issued, and what became of each. A refresh token is live until it is
// spent (it was exchanged for the next one) or revoked. The tokens of one person belong to one grant, and revoking one
// of them ends the grant's others, as RFC 7009 section 2.1 allows.

export type Person = 'ada' | 'grace';

interface RefreshToken {
  readonly person: Person;
  status: 'live' | 'spent' | 'revoked';
  /** Whether a worker got the answer that carries it: the worker answers for it from then on. */
  isReceived: boolean;
}

interface Code {
  readonly person: Person;
  readonly nonce: string;
  readonly scope: string;
  uses: number;
}

export interface Ledger {
  readonly codes: Map<string, Code>;
  readonly refreshTokens: Map<string, RefreshToken>;
  /** The spent refresh tokens that came again. */
  readonly reused: Set<string>;
  /** Everything that an exchange knows as a secret: codes, tokens, and what the worker made of its random bytes. */
  readonly secrets: Set<string>;
}

export function createLedger(from: Ledger | null = null): Ledger {
  return {
    codes: new Map([...(from?.codes ?? [])].map(([name, code]) => [name, { ...code }])),
    refreshTokens: new Map([...(from?.refreshTokens ?? [])].map(([name, token]) => [name, { ...token }])),
    reused: new Set(from?.reused),
    secrets: new Set(from?.secrets),
  };
}

/** A worker has got the answer with these refresh tokens, or will never answer for them. */
export function setReceived({ refreshTokens }: Ledger, names: Iterable<string>, isReceived: boolean): void {
  for (const name of names) {
    const token = refreshTokens.get(name);
    if (token !== undefined) token.isReceived = isReceived;
  }
}

/** Revokes a token and its grant. */
export function revoke({ refreshTokens }: Ledger, name: string): void {
  const person = refreshTokens.get(name)?.person;
  for (const token of refreshTokens.values()) {
    if (token.person === person && token.status === 'live') token.status = 'revoked';
  }
}

/**
 * The live tokens that a worker received and that nobody answers for: neither they nor another token of their grant is
 * among `kept`, the tokens that the vault holds or has queued.
 */
export function lostTokens({ refreshTokens }: Ledger, kept: readonly string[]): string[] {
  const keptGrants = kept.map((name) => refreshTokens.get(name)?.person);
  return [...refreshTokens]
    .filter(
      ([, { status, isReceived, person }]) => status === 'live' && isReceived && !keptGrants.includes(person),
    )
    .map(([name]) => name);
}

/** Whether a worker never got an answer with a token. It cannot know then that the token before it is spent. */
export function hasLostAnswer({ refreshTokens }: Ledger): boolean {
  return [...refreshTokens.values()].some(({ isReceived }) => !isReceived);
}
