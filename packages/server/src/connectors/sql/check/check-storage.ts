// What a table's own way of keeping rows does to erasing.
import type { CheckLine } from '../../../domain/connector.ts';
import type { SqlConnector } from '../../../domain/target.ts';
import type { Catalogue } from '../catalogue.ts';
import { acceptable, problem } from './line.ts';
import { writeName } from './write-name.ts';

export function checkStorage(
  connector: SqlConnector,
  names: readonly string[],
  catalogue: Catalogue,
): CheckLine[] {
  return names.flatMap((table): CheckLine[] => {
    const shape = catalogue.get(table);
    if (shape === undefined) return [];
    const name = writeName(connector, table);
    return [
      ...(shape.withoutTransactions === null
        ? []
        : [
            problem(
              table,
              `its engine ${shape.withoutTransactions} has no transactions, so a failed erase could not be taken back; run: ALTER TABLE ${name} ENGINE = InnoDB`,
            ),
          ]),
      ...(shape.keepsHistory
        ? [
            acceptable(
              `history:${table}`,
              table,
              `keeps the history of its rows (system versioning), so what is deleted stays readable; erase the history, or run: ALTER TABLE ${name} DROP SYSTEM VERSIONING`,
            ),
          ]
        : []),
    ];
  });
}
