// Checks how a table stores its rows, as far as it matters for erasing.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { acceptable, BY_HAND, problem } from './line.ts';
import { writeTable } from './write-name.ts';

export type Storage = Pick<
  TableShape,
  'withoutTransactions' | 'keepsHistory' | 'unknownCollations'
>;

export function checkStorage(
  dialect: SqlDialect,
  names: readonly string[],
  catalogue: Catalogue,
): CheckLine[] {
  return names.flatMap((table) => {
    const shape = catalogue.get(table);
    if (shape === undefined) return [];
    return [...storageLines(dialect, table, shape), ...rewritten(table, shape)];
  });
}

export function storageLines(
  dialect: SqlDialect,
  table: string,
  { withoutTransactions, keepsHistory, unknownCollations = [] }: Storage,
): CheckLine[] {
  const name = writeTable(dialect, table);
  return [
    ...(withoutTransactions === null
      ? []
      : [
          problem(
            table,
            `its engine ${withoutTransactions} has no transactions, so a failed erase could not be rolled back; run: ALTER TABLE ${name} ENGINE = InnoDB`,
          ),
        ]),
    ...unknownCollations.map((collation) =>
      problem(
        table,
        `the collation ${collation} is known to its own application only, so no row of it can be compared or deleted here; make it BINARY, NOCASE or RTRIM, or write a module target that has it`,
      ),
    ),
    ...(keepsHistory
      ? [
          acceptable(
            `history:${table}`,
            table,
            `keeps the history of its rows (system versioning), so what is deleted stays readable; erase the history, or run: ALTER TABLE ${name} DROP SYSTEM VERSIONING`,
          ),
        ]
      : []),
  ];
}

/** What a statement on the table means is not what it says. */
function rewritten(table: string, { triggers, isInherited }: TableShape): CheckLine[] {
  const rule = triggers.find(
    ({ isRule, events }) => isRule === true && events.some((event) => event !== 'insert'),
  );
  return [
    ...(rule === undefined
      ? []
      : [
          problem(
            table,
            `the rule ${rule.name} rewrites statements on it; make it a trigger, or ${BY_HAND}`,
          ),
        ]),
    ...(isInherited === true
      ? [
          problem(
            table,
            `other tables, which are not its partitions, inherit from it, so its key may be there again in each of them; make them partitions, or ${BY_HAND}`,
          ),
        ]
      : []),
  ];
}
