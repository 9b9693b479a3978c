// What a column's new values do to a rule that wants rows to differ.
import { isWithin, type JsonPath, readJsonPath } from '../../../../domain/target/json-path.ts';
import type { JsonChange, Overwrite, SqlConnector } from '../../../../domain/target/target.ts';
import type { DistinctRule } from '../../catalogue.ts';
import { mentionedColumns } from '../../distinct-rules.ts';
import { type JsonRead, jsonReads } from '../../json-reads.ts';

/** They tell rows apart, leave them out of it, make them equal, make them equal in part, or do nothing. */
export type Effect = 'apart' | 'out' | 'equal' | 'partly' | 'kept';

export type Overwrites = Readonly<Record<string, Overwrite>>;

export function effectOf(
  rule: DistinctRule,
  column: string,
  overwrite: Overwrite | undefined,
  connector: SqlConnector,
): Effect {
  const isFilled = rule.areNullsEqual || (rule.mayFillNull && rule.computedFrom.includes(column));
  switch (overwrite?.kind) {
    case undefined:
      return 'kept';
    case 'hash':
    case 'unique':
      return 'apart';
    case 'null':
      return isFilled ? 'equal' : 'out';
    case 'json':
      return rule.columns.includes(column)
        ? 'partly'
        : jsonEffect(
            rule.expressions.flatMap((text) => jsonReads(text, column, connector)),
            overwrite.changes,
            isFilled,
          );
    default:
      return 'equal';
  }
}

function jsonEffect(
  reads: readonly JsonRead[],
  changes: Readonly<Record<string, JsonChange>>,
  isFilled: boolean,
): Effect {
  const effects = reads.map((read): Effect => {
    const touching = Object.entries(changes).flatMap(([path, change]) =>
      effectOfChange(read, pathOf(path), change),
    );
    const effect = touching.find((one) => one !== 'partly') ?? touching[0] ?? 'kept';
    return effect === 'out' && isFilled ? 'equal' : effect;
  });
  if (effects.includes('out')) return 'out';
  const [first = 'kept'] = effects;
  return effects.every((effect) => effect === first) ? first : 'partly';
}

/** None where the change does not reach what is read. */
function effectOfChange(
  { path: read, isNullForNull }: JsonRead,
  path: JsonPath,
  change: JsonChange,
): Effect[] {
  if (read === undefined) return ['partly'];
  const names = (one: JsonPath) => one.map(String);
  if (isWithin(names(read), names(path))) {
    // When an item of a list is removed, the items after it move up.
    if (change.kind === 'remove') return [typeof path.at(-1) === 'number' ? 'partly' : 'out'];
    if (read.length === path.length)
      return [change.value === null && isNullForNull ? 'out' : 'equal'];
    // Below a text or a number there is nothing; but MySQL takes it for a list of one.
    return [names(read).slice(path.length).includes('0') ? 'equal' : 'out'];
  }
  return isWithin(names(path), names(read)) ? ['partly'] : [];
}

/** The places where a JSON overwrite makes rows equal. */
export function equalPaths(
  rule: DistinctRule,
  column: string,
  overwrite: Overwrite | undefined,
  connector: SqlConnector,
): string[] {
  if (overwrite?.kind !== 'json') return [];
  return Object.entries(overwrite.changes)
    .filter(([path, change]) => effectOf(rule, column, only(path, change), connector) === 'equal')
    .map(([path]) => path);
}

const only = (path: string, change: JsonChange): Overwrite => ({
  kind: 'json',
  changes: { [path]: change },
});

function pathOf(text: string): JsonPath {
  const read = readJsonPath(text);
  return 'path' in read ? read.path : [];
}

/** Whether the new values may take rows out of a partial rule: then it is for the operator to know. */
export function mayLeave(
  { condition }: DistinctRule,
  overwrites: Overwrites,
  connector: SqlConnector,
): boolean {
  if (condition === null) return false;
  return conjunctsOf(condition).some((conjunct) =>
    mentionedColumns(conjunct, Object.keys(overwrites)).some((column) => {
      const overwrite = overwrites[column];
      const effect =
        overwrite?.kind === 'json'
          ? jsonEffect(jsonReads(conjunct, column, connector), overwrite.changes, false)
          : overwrite?.kind;
      if (effect === 'kept') return false;
      return effect === 'null' || effect === 'out' || !/\bis\s+not\s+null[\s)]*$/i.test(conjunct);
    }),
  );
}

function conjunctsOf(condition: string): string[] {
  const isSimple =
    !/\bor\b/i.test(condition) &&
    !/'[^']*\band\b[^']*'/i.test(condition) &&
    !/""|''/.test(condition);
  return isSimple ? condition.split(/\band\b/i) : [condition];
}
