// The configuration after validation: every value checked, every default filled in. What each setting means stands above it
// in schema.ts, request-schema.ts and endpoint-schema.ts.

import type * as v from 'valibot';
import type { configSchema } from './schema.ts';

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

type Parsed = ReadonlyDeep<v.InferOutput<ReturnType<typeof configSchema>>>;

/** One identity provider and how to sign in with it. Its profile has been applied. */
export type Provider = Omit<Parsed['providers'][number], 'profile'> & {
  /** Present if a managed policy narrows `allowed`, so that a detail can say whose rule excludes someone. */
  readonly policy?: {
    readonly by: string | null;
    readonly allowedByBuild: Parsed['providers'][number]['allowed'];
  };
};

/** An API with a token of its own. */
export type Api = Provider['apis'][number];

export type Config = Omit<Parsed, '$schema' | 'providers'> & { readonly providers: readonly Provider[] };

/** The settings that the worker needs. The others are for the popup alone. */
export type WorkerConfig = Omit<Config, 'support' | 'privacyUrl' | 'popupHeader'>;

/**
 * An API that responds with JSON to a GET request that carries the access token. Each member but `url` and `headers` is the path of
 * a member of that response, such as `data.id` or `images.0.url`; null if the response has no such member.
 */
export type UserApi = NonNullable<Provider['userApi']>;

/**
 * The names of the parameters of the end-session request, by what they carry; null for one that isn't sent. If `state` isn't
 * sent, the provider needn't repeat it.
 */
export type LogoutParameters = Provider['logoutParameters'];
