// Settings with a dot in their name are grouped in the file: `retention: { identities: 35d }`.
import { isObject } from '../domain/is-object.ts';
import { unknownNames } from './unknown-names.ts';

/** The values by their full names, and problems with names and groups. */
export function flattenGroups(
  given: Record<string, unknown>,
  known: readonly string[],
): { readonly values: Record<string, unknown>; readonly problems: string[] } {
  const groups = new Set(known.filter((name) => name.includes('.')).map(groupOf));
  const top = [...known.filter((name) => !name.includes('.')), ...groups];
  const problems = unknownNames(given, top);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!groups.has(name)) values[name] = value;
    else if (isObject(value)) {
      const inner = Object.fromEntries(
        Object.entries(value).map(([key, it]) => [`${name}.${key}`, it]),
      );
      problems.push(...unknownNames(inner, known));
      Object.assign(values, inner);
    } else if (value !== null) {
      const members = known.filter((it) => groupOf(it) === name && it !== name);
      problems.push(`${name} must hold settings of its own: ${members.join(', ')}`);
    }
  }
  return { values, problems };
}

/** Schema of a file in which `a.b` is written as `b` inside `a`. */
export function nestSchemas(schemas: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const [name, schema] of schemas) {
    const group = groupOf(name);
    if (group === name) properties[name] = schema;
    else {
      const before = properties[group] as { properties: object } | undefined;
      const inner = { ...before?.properties, [name.slice(group.length + 1)]: schema };
      properties[group] = { type: 'object', additionalProperties: false, properties: inner };
    }
  }
  return properties;
}

function groupOf(name: string): string {
  return name.split('.')[0] ?? name;
}
