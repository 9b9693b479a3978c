import type { Dice } from './dice.ts';
import { addColumn, type Draft, startDraft } from './schema-draft.ts';

const LOG = 'log';

/** Triggers on deleting: ones without effect, and ones that write to another table. */
export function addTriggers(dice: Dice, tables: Draft[]): void {
  for (const table of [...tables]) {
    if (!dice.chance(0.05)) continue;
    const does = dice.weighted([
      [4, 'nothing'],
      [3, 'insert'],
      [1, 'update'],
      [1, 'delete'],
    ] as const);
    const to = does === 'insert' ? LOG : dice.one(tables).name;
    if (does === 'insert' && !tables.some(({ name }) => name === LOG)) tables.push(aLog());
    const isPossible = does !== 'nothing' && to !== table.name;
    table.triggers.push({ name: `on_${table.name}`, does: isPossible ? does : 'nothing', to });
  }
}

/** Never declared: what a trigger writes there has no owner. */
function aLog(): Draft {
  const log = startDraft(LOG, false);
  addColumn(log, 'n', 'integer');
  addColumn(log, 'body', 'text');
  return log;
}
