// Targets that are called by HTTP.
import type { IdentityType } from '@unwrite/protocol';
import type { Recipe } from '../recipe/recipe.ts';
import type { AnyType } from '../request/identity.ts';
import type { TargetCommon } from './target-common.ts';

export type HttpAuth =
  | { readonly kind: 'none' }
  /** All of these hold secrets. */
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'hmac'; readonly secret: string };

export interface HttpTargetConfig extends TargetCommon {
  readonly connector: 'http';
  readonly url: string;
  readonly auth: HttpAuth;
  /** `none`: the target's report is trusted, and the evidence says so. */
  readonly verify: 'requery' | 'none';
  /** Private addresses and networks that may be reached; true means all of them. */
  readonly allowPrivate: boolean | readonly string[];
  /** Milliseconds for one call, and for a whole answer by polling. */
  readonly timeout: number;
  readonly pollTimeout: number;
}

/** Credentials of OAuth 2.0; the secret is one. */
export interface OAuthClient {
  readonly kind: 'oauth';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
}

/** Another OpenDSR processor, to which requests are forwarded. */
export interface OpendsrTargetConfig extends TargetCommon {
  readonly connector: 'opendsr';
  /** Where /discovery and the requests are. */
  readonly url: string;
  readonly requestsPath: string;
  readonly auth: OAuthClient | Extract<HttpAuth, { kind: 'bearer' | 'basic' }>;
  /** Requests of several controllers are forwarded, and the processor does not tell their people apart. */
  readonly isShared: boolean;
  /** The types of identities that are sent. */
  readonly identities: readonly IdentityType[];
  /** What answers must be signed with; null if that is not checked. */
  readonly signed: SignedBy | null;
  readonly allowPrivate: boolean | readonly string[];
  /** Milliseconds: for one call, and until an unfinished request is looked at again. */
  readonly timeout: number;
  readonly lookAgain: number;
}

/** Targets that find objects by identities, also by those that only a lookup gives. */
export interface FindsObjects {
  /** By an id of the operator's own: what it is looked up from, wherever it is. */
  readonly lookedUpFrom?: Readonly<Record<string, AnyType>>;
}

/** A service that a recipe describes. */
export interface RestTargetConfig extends TargetCommon, FindsObjects {
  readonly connector: 'rest';
  readonly recipe: Recipe;
  /** The settings that the recipe asks for; never a secret. */
  readonly settings: Readonly<Record<string, string>>;
  /** People of several controllers are in one account. */
  readonly isShared: boolean;
  readonly allowPrivate: boolean | readonly string[];
  /** Milliseconds for one call. */
  readonly timeout: number;
}

/** A bucket of a store that speaks S3. */
export interface S3TargetConfig extends TargetCommon, FindsObjects {
  readonly connector: 's3';
  /** With the bucket. */
  readonly url: string;
  readonly account: S3Account;
  readonly objects: readonly S3Objects[];
  /** False for servers that keep no versions of objects. */
  readonly hasVersions: boolean;
  /** The keys do not tell controllers apart. */
  readonly isShared: boolean;
  readonly allowPrivate: boolean | readonly string[];
  /** Milliseconds for one call. */
  readonly timeout: number;
}

/** The key and the token are secrets. */
export interface S3Account {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | null;
}

export interface S3Objects {
  readonly name: string;
  /** With an identity in braces. One that ends with "/" means everything below. */
  readonly key: string;
  readonly type: AnyType;
}

export interface SignedBy {
  /** Of the processor, as its answers say. */
  readonly domain: string;
  /** Public key in PEM. */
  readonly publicKey: string;
}
