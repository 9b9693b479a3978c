// What the new values of a column mean for a rule that requires rows to differ.
import { isWithin, type JsonPath, readJsonPath } from '../../../../domain/target/json-path.ts';
import type { JsonChange, Overwrite } from '../../../../domain/target/target.ts';
import type { DistinctRule } from '../../catalogue.ts';
import type { JsonRules } from '../../dialect-rules.ts';
import { mentionedColumns } from '../../distinct-rules.ts';
import { type JsonRead, jsonReads } from '../../json-reads.ts';

/**
 * The values differ in each row, take rows out of the rule, make rows equal, make them partly equal, or
 * have no effect.
 */
export type Effect = 'apart' | 'out' | 'equal' | 'partly' | 'kept';

export type Overwrites = Readonly<Record<string, Overwrite>>;

export function effectOf(
  rule: DistinctRule,
  column: string,
  overwrite: Overwrite | undefined,
  json: JsonRules,
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
            rule.expressions.flatMap((text) => jsonReads(text, column, json)),
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

/** Empty if the change does not affect what the rule reads. */
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
    // A text or a number has no members; but MySQL treats it as a list with one item.
    return [names(read).slice(path.length).includes('0') ? 'equal' : 'out'];
  }
  return isWithin(names(path), names(read)) ? ['partly'] : [];
}

/** The places where a JSON overwrite makes rows equal. */
export function equalPaths(
  rule: DistinctRule,
  column: string,
  overwrite: Overwrite | undefined,
  json: JsonRules,
): string[] {
  if (overwrite?.kind !== 'json') return [];
  return Object.entries(overwrite.changes)
    .filter(([path, change]) => effectOf(rule, column, only(path, change), json) === 'equal')
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

/** Whether the new values may take rows out of a partial rule: only the operator can know that. */
export function mayLeave(
  { condition }: DistinctRule,
  overwrites: Overwrites,
  json: JsonRules,
): boolean {
  if (condition === null) return false;
  return conjunctsOf(condition).some((conjunct) =>
    mentionedColumns(conjunct, Object.keys(overwrites)).some((column) => {
      const overwrite = overwrites[column];
      const effect =
        overwrite?.kind === 'json'
          ? jsonEffect(jsonReads(conjunct, column, json), overwrite.changes, false)
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
