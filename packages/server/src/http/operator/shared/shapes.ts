// Building blocks for the schemas of answers. They only serve the OpenAPI document: answers are not checked or
// serialised by them.

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const flag = { type: 'boolean' } as const;
export const anything = {} as const;
export const time = { type: 'string', format: 'date-time' } as const;

export const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
export const maybeTime = orNull(time);
export const maybeText = orNull(text);
export const maybeInteger = orNull(integer);
export const list = (items: object) => ({ type: 'array', items });
export const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
export const byName = (values: object) => ({ type: 'object', additionalProperties: values });

/** An object in which all members are required. */
export const record = (properties: Readonly<Record<string, object>>, more = false) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: more,
});

export const page = (item: object) => record({ items: list(item), next: maybeText });
