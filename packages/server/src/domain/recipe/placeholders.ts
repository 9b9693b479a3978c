// `{name}` and `{name|filter}` in the texts of a recipe.

const PLACEHOLDER = /\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)((?:\|[a-z0-9]+)*)\}/g;

/** Spaces and capitals too. */
const NEARLY = /\{\s*([a-z_]\w*)\s*((?:\|\s*\w+\s*)*)\}/gi;

export const FILTERS = ['lower', 'upper', 'md5', 'sha256'] as const;
export const FOLDING: ReadonlySet<string> = new Set(['lower', 'upper']);

export type Values = Readonly<Record<string, string>>;
export type ApplyFilter = (filter: string, text: string) => string;

/** Only values of identities and keys are filtered. */
const UNFILTERED: ApplyFilter = (_, text) => text;

/** Placeholders without a value stay. */
export function fillText(
  text: string,
  values: Values,
  encode: (text: string) => string = String,
  apply = UNFILTERED,
): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string, filters: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = filters
      .split('|')
      .slice(1)
      .reduce((it, filter) => apply(filter, it), values[name] ?? '');
    return encode(value);
  });
}

/** In every text of a JSON value. Names of members are never filled. */
export function fillJson(value: unknown, values: Values, apply = UNFILTERED): unknown {
  if (typeof value === 'string') return fillText(value, values, String, apply);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values, apply));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillJson(item, values, apply)]),
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

/** What looks like a placeholder, and would be sent as it is: `{identity | lower}`. `{ id }` may be a query in GraphQL. */
export function misspeltIn(value: unknown, known: readonly string[]): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(NEARLY)].flatMap(([whole, name = '', filters]) => {
      const small = name.toLowerCase();
      const isMeant =
        filters !== '' || small === 'identity' || (small !== name && known.includes(small));
      return isMeant && placeholdersIn(whole).length === 0 ? [whole] : [];
    });
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => misspeltIn(one, known));
}
