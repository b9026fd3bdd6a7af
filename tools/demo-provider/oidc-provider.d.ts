// Types of the parts of oidc-provider that the demo provider uses; the package has none.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** Request parameters, unparsed. */
  type Parameters = Readonly<Record<string, unknown>>;

  export interface Context {
    readonly req: IncomingMessage;
    readonly query: Parameters;
    body: unknown;
    set(headers: Readonly<Record<string, string>>): void;
    /** Absent if no route of the provider matched. */
    readonly oidc?: {
      readonly body?: Parameters;
      readonly params?: Parameters;
      readonly result?: { readonly consent?: { readonly grantId?: string } };
      readonly session?: { readonly accountId?: string };
      readonly client?: { readonly clientId: string };
      readonly acr?: string;
      readonly entities?: Readonly<Record<string, { readonly acr?: string; readonly authTime?: number }>>;
    };
  }

  export interface Grant {
    readonly jti: string;
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<unknown>;
  }

  export interface AccessToken {
    readonly accountId: string;
    readonly clientId: string;
    readonly scope?: string;
    /** The API that it is for, if it is for a single one. */
    readonly aud?: string;
    readonly extra?: { readonly acr?: string; readonly auth_time?: number };
    /** The thumbprint of the key that a DPoP token is bound to. */
    readonly jkt?: string;
  }

  export interface Interaction {
    readonly prompt: { readonly name: string };
    readonly params: Parameters;
    readonly session?: { readonly accountId?: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: {
      new (owner: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly AccessToken: { find(value: string): Promise<AccessToken | undefined> };
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly IdToken: {
      /** Verifies everything but the expiry. Rejects for an invalid one. */
      validate(value: string, client: object): Promise<{ readonly payload: Parameters }>;
    };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
    on(event: 'authorization.success', listener: (context: Context, response?: Parameters) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
  }

  export const errors: {
    readonly SessionNotFound: new () => Error;
    readonly InvalidTarget: new () => Error;
  };

  export const interactionPolicy: {
    readonly Prompt: new (options: { readonly name: string; readonly requestable: boolean }) => unknown;
    readonly Check: {
      new (reason: string, description: string, check: (context: Context) => boolean): unknown;
      readonly REQUEST_PROMPT: boolean;
      readonly NO_NEED_TO_PROMPT: boolean;
    };
    base(): {
      add(prompt: unknown, position: number): void;
      get(prompt: string): { readonly checks: { add(check: unknown): void; remove(reason: string): void } };
    };
  };
}
