// Splits names of tables and columns into words: `commentAuthorEmail`, `comment_author_email`.
import { splitTableName } from '../table-name.ts';

/** Words that say nothing about the content of a table: Magento's `customer_entity`. */
const ENDINGS = new Set(['entity', 'tbl', 'table', 'record', 'master']);

export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Without the schema, with the last word in the singular: `wp_users` becomes wp, user. */
export function tableWords(table: string): string[] {
  const all = wordsOf(splitTableName(table).name);
  const words = all.length > 1 && ENDINGS.has(all.at(-1) ?? '') ? all.slice(0, -1) : all;
  return [...words.slice(0, -1), ...words.slice(-1).map(singularOf)];
}

export function singularOf(word: string): string {
  if (word === 'people') return 'person';
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** `sales_order_address` starts like `sales_orders`. */
export function isNamedAfter(table: string, parent: string): boolean {
  const [own, start] = [tableWords(table), tableWords(parent)];
  return own.length > start.length && beginsWith(own.map(singularOf), start.map(singularOf));
}

export function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return (
    end.length > 0 && end.length <= words.length && words.slice(-end.length).join() === end.join()
  );
}

export function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return words.slice(0, start.length).join() === start.join();
}
