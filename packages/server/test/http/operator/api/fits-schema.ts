// Whether a value is as a schema of the document says: the part of JSON Schema that the answers use.

// biome-ignore lint/suspicious/noExplicitAny: schemas are looked into freely
type Schema = any;

/** What does not fit, by path. */
export function misfits(value: unknown, schema: Schema, at = '$'): string[] {
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.map((one: Schema) => misfits(value, one, at));
    return all.some((found: string[]) => found.length === 0) ? [] : all[0];
  }
  if (schema.enum !== undefined) {
    return schema.enum.includes(value) ? [] : [`${at}: ${value} is none of ${schema.enum}`];
  }
  switch (schema.type) {
    case 'object':
      return ofObject(value, schema, at);
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, i) => misfits(item, schema.items ?? {}, `${at}[${i}]`))
        : [`${at}: not a list`];
    case 'string':
      return typeof value === 'string' ? [] : [`${at}: not a text: ${JSON.stringify(value)}`];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at}: not a whole number: ${value}`];
    case 'number':
      return typeof value === 'number' ? [] : [`${at}: not a number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}: not true or false`];
    case 'null':
      return value === null ? [] : [`${at}: not null`];
    default:
      return [];
  }
}

function ofObject(value: unknown, schema: Schema, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${at}: not an object`];
  }
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required
    .filter((name: string) => !Object.hasOwn(value, name))
    .map((name: string) => `${at}.${name}: missing`);
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, member]) => {
      if (Object.hasOwn(properties, name))
        return misfits(member, properties[name], `${at}.${name}`);
      if (additionalProperties === false) return [`${at}.${name}: not in the schema`];
      return additionalProperties === true
        ? []
        : misfits(member, additionalProperties, `${at}.${name}`);
    }),
  ];
}
