// Checks whether overwritten rows would violate a rule that rows must differ: unique indexes of every kind, and
// exclusion constraints.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import {
  type Overwrite,
  RANDOM,
  type SqlTargetConfig,
  type TableConfig,
} from '../../../../domain/target/target.ts';
import type { ColumnShape, DistinctRule, TableShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import type { JsonRules } from '../../dialect-rules.ts';
import { HASH_LENGTH, RANDOM_LENGTH } from '../../erase/own-values.ts';
import { BY_HAND, listNames, problem, warning } from '../line.ts';
import { effectOf, equalPaths, mayLeave, type Overwrites } from './overwrite-effect.ts';

export function checkDistinct(
  config: SqlTargetConfig,
  { json }: SqlDialect,
  table: TableConfig,
  shape: TableShape,
): CheckLine[] {
  const { action } = table;
  if (action.kind !== 'overwrite') return [];
  const lines = shape.rules.flatMap((rule) =>
    checkRule(rule, { config, json, table, shape, overwrites: action.columns }),
  );
  // Two indexes may have the same columns.
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

interface OverwrittenTable {
  readonly config: SqlTargetConfig;
  readonly json: JsonRules;
  readonly table: TableConfig;
  readonly shape: TableShape;
  readonly overwrites: Overwrites;
}

function checkRule(
  rule: DistinctRule,
  { config, json, table, shape, overwrites }: OverwrittenTable,
): CheckLine[] {
  const cut = [...rule.columns].find((column) => isCut(rule.prefixes[column], overwrites[column]));
  if (cut !== undefined)
    return [
      problem(
        table.table,
        `"${cut}" is unique by its first ${rule.prefixes[cut]} characters (index ${rule.name}), which are too few for what it is overwritten with; write null instead${beginWithRandom(overwrites[cut])}`,
      ),
    ];
  const columns = [...rule.columns, ...rule.computedFrom];
  const effects = columns.map((column) => effectOf(rule, column, overwrites[column], json));
  if (effects.some((effect) => effect === 'apart' || effect === 'out')) return [];
  const equal = columns.filter((_, place) => effects[place] === 'equal');
  const first = equal[0] ?? columns[effects.indexOf('partly')];
  if (first === undefined) return [];
  const others = columns.filter(
    (column) => !equal.includes(column) && !isTenant(config, table, column),
  );
  const key = table.key ?? shape.primaryKey;
  if (others.length > 0 && key.every((column) => others.includes(column))) return [];
  const places = equalPaths(rule, first, overwrites[first], json);
  const ways = (
    overwrites[first]?.kind === 'json'
      ? removed(rule, places)
      : waysOut(shape.columns.get(first), rule)
  ).join(' or ');
  if (others.length === 0 && !mayLeave(rule, overwrites, json))
    return [
      problem(
        table.table,
        `"${first}" is unique${at(places)}${aside(rule, columns, first)}, so the same value fits one row only; ${ways === '' ? `leave it out, delete the rows, or ${BY_HAND}` : `write ${ways} instead`}`,
      ),
    ];
  return [
    warning(
      table.table,
      `(${columns.join(', ')}) is unique${rule.condition !== null ? ' for some rows' : ''}: where two rows differ only in what is overwritten, the second fails${ways === '' ? '' : `; ${ways} is safe`}`,
    ),
  ];
}

function isTenant({ tenancy }: SqlTargetConfig, table: TableConfig, column: string): boolean {
  return tenancy.way === 'column' && (table.tenantColumn ?? tenancy.column) === column;
}

/** Whether an index on a prefix does not include the part in which the new values differ. */
function isCut(prefix: number | undefined, overwrite: Overwrite | undefined): boolean {
  if (prefix === undefined) return false;
  if (overwrite?.kind === 'hash') return prefix < HASH_LENGTH;
  if (overwrite?.kind !== 'unique') return false;
  return prefix < overwrite.text.indexOf(RANDOM) + RANDOM_LENGTH;
}

function beginWithRandom(overwrite: Overwrite | undefined): string {
  return overwrite?.kind === 'unique' ? ', or a text that begins with {random}' : '';
}

function aside(rule: DistinctRule, columns: readonly string[], first: string): string {
  const others = columns.filter((column) => column !== first);
  const among = others.length === 0 ? '' : ` (with ${listNames(others)})`;
  const isOdd = rule.condition !== null || rule.computedFrom.length > 0;
  return isOdd ? `${among} by the index ${rule.name}` : among;
}

function at(places: readonly string[]): string {
  return places.length === 0 ? '' : ` at ${places.join(', ')}`;
}

/** An absent value is NULL, which equals no other row's. */
function removed(
  { areNullsEqual, mayFillNull }: DistinctRule,
  places: readonly string[],
): string[] {
  if (areNullsEqual || mayFillNull || places.length === 0) return [];
  return [places.map((place) => `"${place}": { remove: true }`).join(', ')];
}

/** The lines to write in the configuration. */
function waysOut(column: ColumnShape | undefined, { areNullsEqual }: DistinctRule): string[] {
  const isText = column?.kind === 'text';
  const name = column?.name ?? '';
  const text = /mail/i.test(name) ? 'erased-{random}@example.invalid' : 'erased-{random}';
  return [
    ...(isText ? [`${name}: { unique: "${text}" }`] : []),
    ...(column?.isNullable === true && !areNullsEqual ? ['null'] : []),
    ...(isText ? ['a hash'] : []),
  ];
}
