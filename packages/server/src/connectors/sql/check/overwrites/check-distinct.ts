// Refuses one value for all rows of a column that has to differ, also in an index of some rows or on an expression. Whether
// other values break such a rule is for the database to say: it refuses the change, and the request is held.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { SqlTargetConfig, TableConfig } from '../../../../domain/target/target.ts';
import type { ColumnShape, DistinctRule, TableShape } from '../../catalogue.ts';
import { BY_HAND, listNames, problem, warning } from '../line.ts';

const SAME_IN_ALL = new Set(['value', 'now']);

export function checkDistinct(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
): CheckLine[] {
  const lines = shape.rules.flatMap((rule) => checkRule(config, table, shape, rule));
  // Two indexes may have the same columns.
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

function checkRule(
  config: SqlTargetConfig,
  table: TableConfig,
  shape: TableShape,
  rule: DistinctRule,
): CheckLine[] {
  if (table.action.kind !== 'overwrite') return [];
  const overwrites = table.action.columns;
  const columns = [...rule.columns, ...rule.computedFrom];
  const equal = columns.filter((name) => SAME_IN_ALL.has(overwrites[name]?.kind ?? ''));
  const [first] = equal;
  if (first === undefined) return [];
  const others = columns.filter((name) => !equal.includes(name) && !isTenant(config, table, name));
  if (others.some((name) => overwrites[name] !== undefined)) return [];
  const key = table.key ?? shape.primaryKey;
  if (others.length > 0 && key.every((name) => others.includes(name))) return [];
  const ways = waysOut(shape.columns.get(first)).join(' or ');
  if (others.length > 0)
    return [
      warning(
        table.table,
        `(${columns.join(', ')}) is unique: where two rows differ only in what is overwritten, the second is held${ways === '' ? '' : `; ${ways} is safe`}`,
      ),
    ];
  const aside = columns.filter((name) => name !== first);
  const among = aside.length === 0 ? '' : ` (with ${listNames(aside)})`;
  return [
    problem(
      table.table,
      `"${first}" is unique${among} by the index ${rule.name}, so the same value fits one row only; ${ways === '' ? `leave it out, delete the rows, or ${BY_HAND}` : `write ${ways} instead`}`,
    ),
  ];
}

function isTenant({ tenancy }: SqlTargetConfig, table: TableConfig, column: string): boolean {
  return tenancy.way === 'column' && (table.tenantColumn ?? tenancy.column) === column;
}

/** The lines to write in the configuration. */
function waysOut(column: ColumnShape | undefined): string[] {
  const isText = column?.kind === 'text';
  const name = column?.name ?? '';
  const text = /mail/i.test(name) ? 'erased-{random}@example.invalid' : 'erased-{random}';
  return [
    ...(isText ? [`${name}: { unique: "${text}" }`] : []),
    ...(column?.isNullable === true ? ['null'] : []),
    ...(isText ? ['a hash'] : []),
  ];
}
