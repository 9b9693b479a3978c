// A service that is described, not programmed: how its objects of a person are found, looked at and erased. Settings are
// filled in; the names that are left in braces are those of an identity and of an object's key.
import type { AnyType } from '../request/identity.ts';

export interface Recipe {
  /** Its name, or the file as it is written in the configuration. */
  readonly name: string;
  /** For people. */
  readonly service: string;
  /** What it was written from. */
  readonly documents: readonly string[];
  /** Of the recipe's file, before settings are filled in. */
  readonly digest: string;
  /** The origin of all calls. */
  readonly origin: string;
  readonly auth: RecipeAuth;
  /** Milliseconds between two calls. */
  readonly pause: number;
  /** A call whose answer shows that the account is the one that is meant. */
  readonly account: { readonly call: Call; readonly is: readonly Answers[] };
  readonly objects: readonly RecipeObject[];
  /** What the service keeps, and what brings people back: for receipts. */
  readonly leaves: readonly string[];
  readonly comesBack: readonly string[];
}

/** Holds secrets. Sent with every call, and nowhere else. */
export interface RecipeAuth {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export interface Call {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** An answer that the recipe expects: by status, and by values in its body. */
export interface Answers {
  readonly status: number;
  /** By path: a value; null if there must be none; `[]` for a list without items. */
  readonly where: Readonly<Record<string, string | number | boolean | null | readonly []>>;
}

export interface RecipeObject {
  readonly name: string;
  readonly finds: readonly Find[];
  /** In the order in which an object passes through them. */
  readonly places: readonly Place[];
}

export interface Find {
  readonly type: AnyType;
  /** The call is made once for each item of another. */
  readonly within?: Listing;
  readonly list: Listing;
  /** Where an item has the identity: a value, or several. */
  readonly same: { readonly path: string; readonly separator?: string };
}

export interface Listing {
  readonly call: Call;
  readonly found: readonly Answers[];
  readonly none: readonly Answers[];
  /** Where the items are; undefined if the answer is the one item, or the list itself. */
  readonly items?: string;
  /** Names of the key's parts, and where an item has them. */
  readonly key: Readonly<Record<string, string>>;
  readonly next?: NextPage;
}

export type NextPage =
  /** Where the answer has the address of the next page. */
  | { readonly link: string }
  /** Where the answer has a token, and the parameter that it is sent in. */
  | { readonly token: string; readonly parameter: string }
  /** The parameter that counts items, and how many a page has. */
  | { readonly offset: string; readonly size: number };

export interface Place {
  readonly name: string;
  readonly look: Call;
  readonly has: readonly Answers[];
  readonly lacks: readonly Answers[];
  readonly out: Call;
  readonly done: readonly Answers[];
  /** It was not there any more. */
  readonly none: readonly Answers[];
}
