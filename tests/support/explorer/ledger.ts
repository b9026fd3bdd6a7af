// The provider's ledger: all tokens that it has issued, and what became of each. A refresh token is live until it is
// spent (it was exchanged for the next one) or revoked. The tokens of one person at one client belong to one grant. At one
// client revoking a token ends the grant's others, as RFC 7009 section 2.1 allows; at the other one it ends that token alone.

export type Person = 'ada' | 'grace';

/** A person's consent to one client. */
export interface Grant {
  readonly person: Person;
  readonly clientId: string;
}

interface RefreshToken extends Grant {
  /** The tokens that end with its revocation. */
  readonly revokes: 'grant' | 'token';
  /** Names the key that the token is bound to (RFC 9449); null if it is not bound. */
  readonly key: string | null;
  status: 'live' | 'spent' | 'revoked';
  /** Whether a worker got the answer that carries it: the worker answers for it from then on. */
  isReceived: boolean;
}

interface Code extends Grant {
  readonly nonce: string;
  readonly scope: string;
  uses: number;
}

/** A code that a person enters on a page of the provider (RFC 8628). */
interface DeviceCode {
  readonly clientId: string;
  readonly scope: string;
  readonly userCode: string;
  readonly endsAtMs: number;
  /** When the worker last asked for its tokens. */
  askedAtMs: number;
  /** The person who has agreed, until the tokens are issued. */
  status: 'pending' | Person | 'denied' | 'used';
}

interface AccessToken {
  /** As that of a refresh token. */
  readonly key: string | null;
  /** Whether the APIs refuse it before it expires. */
  isRefused: boolean;
}

export interface Ledger {
  readonly codes: Map<string, Code>;
  readonly deviceCodes: Map<string, DeviceCode>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, RefreshToken>;
  /** The spent refresh tokens that came again. */
  readonly reused: Set<string>;
  /** Everything that an exchange knows as a secret: codes, tokens, and what the worker made of its random bytes. */
  readonly secrets: Set<string>;
}

export function createLedger(from: Ledger | null = null): Ledger {
  return {
    codes: copy(from?.codes),
    deviceCodes: copy(from?.deviceCodes),
    accessTokens: copy(from?.accessTokens),
    refreshTokens: copy(from?.refreshTokens),
    reused: new Set(from?.reused),
    secrets: new Set(from?.secrets),
  };
}

function copy<T extends object>(records: ReadonlyMap<string, T> = new Map()): Map<string, T> {
  return new Map([...records].map(([name, record]) => [name, { ...record }]));
}

/** A worker has got the answer with these refresh tokens, or will never answer for them. */
export function setReceived({ refreshTokens }: Ledger, names: Iterable<string>, isReceived: boolean): void {
  for (const name of names) {
    const token = refreshTokens.get(name);
    if (token !== undefined) token.isReceived = isReceived;
  }
}

/** The name of a token's grant; null for an unknown token. */
export function grantOf({ refreshTokens }: Ledger, name: string): string | null {
  const token = refreshTokens.get(name);
  return token === undefined ? null : toGrantName(token);
}

export function toGrantName({
  person,
  clientId,
}: {
  readonly person: string;
  readonly clientId: string;
}): string {
  return `${person} at ${clientId}`;
}

/** Revokes a token and its grant. */
export function revoke(ledger: Ledger, name: string): void {
  const revoked = ledger.refreshTokens.get(name);
  if (revoked === undefined) return;
  for (const token of ledger.refreshTokens.values()) {
    const isMeant =
      revoked.revokes === 'token' ? token === revoked : toGrantName(token) === toGrantName(revoked);
    if (isMeant && token.status === 'live') token.status = 'revoked';
  }
}

/**
 * The live tokens that a worker received and that nobody answers for: neither they nor another token of their grant is
 * among `kept`, the tokens that the vault holds or has queued. Where a revocation ends one token alone, no other token counts.
 */
export function lostTokens(ledger: Ledger, kept: readonly string[]): string[] {
  const keptGrants = kept.map((name) => grantOf(ledger, name));
  return [...ledger.refreshTokens]
    .filter(([, { status, isReceived }]) => status === 'live' && isReceived)
    .filter(([name, { revokes }]) => {
      return revokes === 'token' ? !kept.includes(name) : !keptGrants.includes(grantOf(ledger, name));
    })
    .map(([name]) => name);
}

/** Whether a worker never got an answer with a token. It cannot know then that the token before it is spent. */
export function hasLostAnswer({ refreshTokens }: Ledger): boolean {
  return [...refreshTokens.values()].some(({ isReceived }) => !isReceived);
}
