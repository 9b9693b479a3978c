// The part of JSON Schema that we use. One schema is the check, the static type and the OpenAPI
// document. A library for this would be a quarter of the server's memory and of its start-up time.

export interface StringSchema {
  readonly type: 'string';
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ArraySchema {
  readonly type: 'array';
  readonly items?: Schema;
  readonly maxItems?: number;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

export interface IntegerSchema {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

export type Schema = Annotations &
  (
    | StringSchema
    | ArraySchema
    | ObjectSchema
    | IntegerSchema
    | { readonly type: 'boolean' }
    | { readonly const: string }
    | { readonly enum: readonly string[] }
    | { readonly anyOf: readonly [Schema, { readonly type: 'null' }] }
  );

/** The TypeScript type of what a schema accepts. */
export type Static<S> = S extends { readonly anyOf: readonly [infer T, unknown] }
  ? Static<T> | null
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly enum: readonly (infer E)[] }
      ? E
      : S extends { readonly type: 'string' }
        ? string
        : S extends { readonly type: 'integer' }
          ? number
          : S extends { readonly type: 'boolean' }
            ? boolean
            : S extends { readonly type: 'array'; readonly items: infer I }
              ? Static<I>[]
              : S extends { readonly type: 'array' }
                ? unknown[]
                : S extends {
                      readonly properties: infer P;
                      readonly required: readonly (infer R)[];
                    }
                  ? StaticObject<P, R>
                  : unknown;

type StaticObject<P, R> = {
  -readonly [K in keyof P as K extends R ? K : never]: Static<P[K]>;
} & {
  -readonly [K in keyof P as K extends R ? never : K]?: Static<P[K]>;
};

/** Many serialisers send null for what is not there. */
export function nullable<const S extends Schema>(schema: S) {
  return { anyOf: [schema, { type: 'null' }] } as const;
}
