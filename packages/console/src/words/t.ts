// The texts of the console, from one file. `{name}` is filled in; a key with `.one` and `.other` is chosen by count.
import en from './en.json';

type Key = keyof typeof en;
type Plural<K> = K extends `${infer Base}.other` ? Base : never;
export type PluralKey = Plural<Key>;

const texts: Readonly<Record<string, string>> = en;
const plurals = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return numbers.format(value);
}

export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(texts[key] ?? key, values);
}

export function tn(
  key: PluralKey,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = texts[`${key}.${plurals.select(count)}`] ?? texts[`${key}.other`] ?? key;
  return fill(text, { count: numbers.format(count), ...values });
}

/** For names that come from the server: a name without a text is shown unchanged. */
export function tName(prefix: string, name: string): string {
  return texts[`${prefix}.${name}`] ?? name.replaceAll('_', ' ');
}

/** Every name that has a text. */
export function namesOf(prefix: string): string[] {
  return Object.keys(texts)
    .filter((key) => key.startsWith(`${prefix}.`))
    .map((key) => key.slice(prefix.length + 1));
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
