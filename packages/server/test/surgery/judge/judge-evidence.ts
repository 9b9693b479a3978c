// The evidence names as many rows of each table as Unwrite really changed, over all tries.

import { haveOneKey, isKeyless } from '../declared-world.ts';
import type { GeneratedCase } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import { isDetached } from './detached-rows.ts';
import { changesBetween, type RowChange } from './row-changes.ts';
import { entriesIn, isHidden, rowsThatMayHaveBeenOurs } from './uncertain-rows.ts';
import type { Violation } from './violation.ts';

type Task = TryRecord['tasks'][number];

export function judgeEvidence(
  generated: GeneratedCase,
  records: readonly TryRecord[],
): Violation[] {
  const last = records.at(-1);
  if (last === undefined || last.tasks.length === 0) return [];
  const done = last.tasks.filter(({ state }) => state === 'erased');
  const isAll = done.length === last.tasks.length;
  const tryNo = records.length - 1;
  const declared = new Set(
    records.flatMap(({ configuration }) => configuration.tables.map(({ table }) => table)),
  );
  // What a trigger changes there is the operator's own doing.
  const written = generated.tables.flatMap(({ triggers }) => triggers.map(({ to }) => to));
  return [...declared].flatMap((table): Violation[] => {
    if (written.includes(table)) return [];
    const lie = (rule: string, detail: string): Violation => ({ kind: 'lie', tryNo, rule, detail });
    const changes = rowsChanged(generated, records, table);
    const rows = new Set(changes.map(({ rid }) => rid)).size;
    const uncertain = rowsThatMayHaveBeenOurs(generated, records, table);
    const claims = done.map((task) => rowsClaimed(task, table));
    const claimed = claims.reduce((sum, one) => sum + one, 0);
    // Two requests may overwrite one row after another; one request has it once.
    if (claimed > changes.length + uncertain || claims.some((one) => one > rows + uncertain)) {
      const detail = `the evidence claims ${claims.join(' and ')} rows of ${table}, and ${rows} were changed`;
      return [lie('claimed', detail)];
    }
    // A row that came again with the same key counts once.
    const min = differentRows(generated, table, changes);
    const unconfirmed = done.reduce((sum, task) => sum + rowsUnconfirmed(task, table), 0);
    if (isAll && claimed + unconfirmed < min && !isHidden(generated, records)) {
      return [
        lie(
          'not claimed',
          `the evidence has ${claimed} rows of ${table} and ${unconfirmed} unconfirmed ones, and ${rows} were changed`,
        ),
      ];
    }
    return [];
  });
}

function rowsClaimed(task: Task, table: string): number {
  return entriesOf(task, table).reduce((sum, { action, rows }) => {
    return sum + (action === 'delete' || action === 'overwrite' ? rows : 0);
  }, 0);
}

/** Rows of attempts whose end the target cannot tell. */
function rowsUnconfirmed(task: Task, table: string): number {
  return entriesOf(task, table).reduce((sum, { unconfirmed = 0 }) => sum + unconfirmed, 0);
}

/** All its entries: `notes`, or `notes (record_type: people)` and so on. */
function entriesOf({ evidence }: Task, table: string) {
  return Object.entries(evidence?.tables ?? {}).flatMap(([name, found]) =>
    name === table || name.startsWith(`${table} (`) ? [found] : [],
  );
}

function differentRows(
  generated: GeneratedCase,
  table: string,
  changes: readonly RowChange[],
): number {
  const entries = entriesIn(generated, table);
  if (entries.some((entry) => isKeyless(generated, entry))) {
    return new Set(changes.map(({ rid }) => rid)).size;
  }
  return changes.filter(
    ({ before }, at) =>
      !changes.slice(0, at).some((one) => haveOneKey(generated, entries, one.before, before)),
  ).length;
}

function rowsChanged(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  table: string,
): RowChange[] {
  // What a foreign key does to a table that is not declared stands under `cascades`.
  const declaring = records.filter(({ configuration }) =>
    configuration.tables.some((one) => one.table === table),
  );
  return declaring.flatMap(({ spans, configuration }) =>
    spans.flatMap((span) =>
      changesBetween(span.from, span.to).filter(
        (change) => change.table === table && !isDetached(generated, configuration, change, span),
      ),
    ),
  );
}
