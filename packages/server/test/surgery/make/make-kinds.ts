// Rows of one table that refer to rows of several others: a column says to which of them.
import { isNumber } from '../judge/compare-values.ts';
import type { Dice } from './dice.ts';
import { addColumn, type Draft } from './schema-draft.ts';

export function addKinds(dice: Dice, table: Draft, earlier: readonly Draft[]): void {
  const isNumbered = dice.chance(0.25);
  addColumn(table, 'record_type', isNumbered ? 'integer' : dice.one(['text', 'text', 'folded']));
  const parents = earlier.flatMap((parent) => {
    const [name, ...others] = parent.primaryKey;
    const key = others.length > 0 ? undefined : parent.columns.find((one) => one.name === name);
    return key === undefined ? [] : [{ parent: parent.name, key }];
  });
  const chosen = parents.filter((_, index) => index === 0 || dice.chance(0.7)).slice(0, 3);
  const areNumbers = chosen.every(({ key }) => isNumber(key.type));
  addColumn(table, 'record_id', areNumbers ? 'integer' : 'text');
  for (const [index, { parent, key }] of chosen.entries()) {
    const value = isNumbered ? String(index + 1) : parent;
    table.references.push({
      parent,
      pairs: [{ child: 'record_id', parent: key.name }],
      onDelete: null,
      isAside: false,
      onlyWhere: { column: 'record_type', value },
    });
  }
}
