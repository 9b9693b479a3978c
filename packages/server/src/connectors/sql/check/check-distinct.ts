// Whether overwritten rows would come to be equal to what wants them to differ: unique indexes of every kind
// and exclusion constraints.
import type { CheckLine } from '../../../domain/connector.ts';
import {
  type Overwrite,
  RANDOM,
  type SqlTargetConfig,
  type TableConfig,
} from '../../../domain/target.ts';
import type { ColumnShape, DistinctRule, TableShape } from '../catalogue.ts';
import { HASH_LENGTH, RANDOM_LENGTH } from '../erase/own-values.ts';
import { listNames, problem, warning } from './line.ts';

/** What a column's new values do to a rule: tell rows apart, leave them out of it, or make them equal. */
type Effect = 'apart' | 'out' | 'equal' | 'kept';

export function checkDistinct(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
): CheckLine[] {
  const { action } = table;
  if (action.kind !== 'overwrite') return [];
  const lines = shape.rules.flatMap((rule) =>
    checkRule(config, table, shape, rule, action.columns),
  );
  // Two indexes may have the same columns.
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

function checkRule(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
  rule: DistinctRule,
  overwrites: Readonly<Record<string, Overwrite>>,
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
  const effects = columns.map((column) => effectOf(rule, column, overwrites[column]));
  if (effects.some((effect) => effect === 'apart' || effect === 'out')) return [];
  const equal = columns.filter((_, place) => effects[place] === 'equal');
  const [first] = equal;
  if (first === undefined) return [];
  const others = columns.filter(
    (column) => !equal.includes(column) && !isTenant(config, table, column),
  );
  const key = table.key ?? shape.primaryKey;
  if (others.length > 0 && key.every((column) => others.includes(column))) return [];
  // Where the new values may take rows out of the rule, it is for the operator to know.
  const mayLeave = rule.conditionOn.some((column) => overwrites[column] !== undefined);
  const ways = waysOut(shape.columns.get(first), rule).join(' or ');
  if (others.length === 0 && !mayLeave)
    return [
      problem(
        table.table,
        `"${first}" is unique${aside(rule, columns, first)}, so the same value fits one row only; ${ways === '' ? 'leave it out, or delete the rows' : `write ${ways} instead`}`,
      ),
    ];
  return [
    warning(
      table.table,
      `(${columns.join(', ')}) is unique${rule.isPartial ? ' for some rows' : ''}: where two rows differ only in what is overwritten, the second fails${ways === '' ? '' : `; ${ways} is safe`}`,
    ),
  ];
}

function effectOf(rule: DistinctRule, column: string, overwrite: Overwrite | undefined): Effect {
  const isNull = rule.areNullsEqual || (rule.mayFillNull && rule.computedFrom.includes(column));
  switch (overwrite?.kind) {
    case undefined:
      return 'kept';
    case 'hash':
    case 'unique':
      return 'apart';
    case 'null':
      return isNull ? 'equal' : 'out';
    case 'json': {
      const isCleared = Object.values(overwrite.changes).every(
        (change) => change.kind === 'remove' || change.value === null,
      );
      return isCleared && !isNull ? 'out' : 'kept';
    }
    default:
      return 'equal';
  }
}

function isTenant({ tenancy }: SqlTargetConfig, table: TableConfig, column: string): boolean {
  return tenancy.way === 'column' && (table.tenantColumn ?? tenancy.column) === column;
}

/** Whether an index on a beginning would not see what tells the new values apart. */
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
  const isOdd = rule.isPartial || rule.computedFrom.length > 0;
  return isOdd ? `${among} by the index ${rule.name}` : among;
}

/** The lines to write. */
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
