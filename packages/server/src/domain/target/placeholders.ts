// `{name}` and `{name|filter}` in the texts of a recipe.
import { createHash } from 'node:crypto';

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)((?:\|[a-z0-9]+)*)\}/g;

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  md5: (text) => createHash('md5').update(text).digest('hex'),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};

export type Values = Readonly<Record<string, string>>;

export const FILTER_NAMES = Object.keys(FILTERS);

/** Placeholders without a value stay. */
export function fillText(
  text: string,
  values: Values,
  encode: (text: string) => string = String,
): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string, filters: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = filters
      .split('|')
      .slice(1)
      .reduce((it, filter) => FILTERS[filter]?.(it) ?? it, values[name] ?? '');
    return encode(value);
  });
}

/** In every text of a JSON value. Names of members are never filled. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillJson(item, values)]),
  );
}

/** The names and filters that texts use, anywhere in a value. */
export function placeholdersIn(value: unknown): { name: string; filters: readonly string[] }[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].map(([, name = '', filters = '']) => ({
      name,
      filters: filters.split('|').slice(1),
    }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(placeholdersIn);
}
