// What the evidence says of rows beside the erased ones: detached, and removed by cascade.

import { entryOf } from '../declared-world.ts';
import type { GeneratedCase } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { TryRecord } from '../run-case.ts';
import { isDetached } from './detached-rows.ts';
import { changesBetween, type RowChange } from './row-changes.ts';
import { changesAfterDeath } from './uncertain-rows.ts';
import type { Violation } from './violation.ts';

/** As fields of a table's evidence; a product that does not know them yet has none. */
interface Beside {
  readonly action: string;
  readonly rows: number;
  readonly detached?: number;
}

interface Happened {
  /** Rows of which nothing else has changed. */
  detached: Set<string>;
  /** References that became NULL in rows that stay, whatever else became of these. */
  emptied: number;
  /** Rows of a table that is not declared. */
  removed: Set<string>;
}

export function judgeBeside(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  const last = records.at(-1);
  if (!knows('detach') || last === undefined || last.tasks.length === 0) return [];
  if (last.tasks.some(({ state }) => state !== 'erased')) return [];
  // Who died cannot have told, and what a trigger does is the operator's own doing.
  const isTold = records.every(({ interruption }) => !interruption.startsWith('killed'));
  const written = generated.tables.flatMap(({ triggers }) => triggers.map(({ to }) => to));
  return generated.tables.flatMap(({ name }): Violation[] => {
    if (written.includes(name)) return [];
    const { detached, emptied, removed } = happenedTo(generated, records, name);
    const told = last.tasks.flatMap(({ evidence }) =>
      Object.entries(evidence?.tables ?? {})
        .filter(([table]) => table === name || table.startsWith(`${name} (`))
        .map(([, found]): Beside => found),
    );
    const sum = (of: (one: Beside) => number) => told.reduce((all, one) => all + of(one), 0);
    const toldDetached = sum((one) => one.detached ?? 0);
    const toldRemoved = sum((one) => (one.action === 'cascade' ? one.rows : 0));
    const lie = (rule: string, detail: string): Violation => ({
      kind: 'lie',
      tryNo: records.length - 1,
      rule,
      detail: `the evidence has ${detail} of ${name}`,
    });
    const uncertain = changesAfterDeath(records, name);
    const gone = uncertain.filter(({ after }) => after === undefined);
    const maxEmptied = uncertain.reduce((all, one) => all + emptiedIn(generated, one), emptied);
    return [
      ...(toldDetached > maxEmptied || (isTold && toldDetached < detached.size)
        ? [lie('detached', `${toldDetached} detached rows, and there were ${detached.size},`)]
        : []),
      ...(toldRemoved > removed.size + gone.length || (isTold && toldRemoved < removed.size)
        ? [
            lie(
              'cascade',
              `${toldRemoved} rows removed by cascade, and there were ${removed.size},`,
            ),
          ]
        : []),
    ];
  });
}

function happenedTo(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  table: string,
): Happened {
  const happened: Happened = { detached: new Set(), emptied: 0, removed: new Set() };
  for (const { configuration, spans } of records) {
    const isDeclared = configuration.tables.some((one) => one.table === table);
    for (const span of spans) {
      for (const change of changesBetween(span.from, span.to)) {
        if (change.table !== table) continue;
        const { rid, before, after } = change;
        happened.emptied += emptiedIn(generated, change);
        if (after === undefined && !isDeclared) happened.removed.add(rid);
        const action = entryOf({ configuration }, table, before)?.action;
        const isOnly = isDetached(generated, configuration, change, span);
        if (isOnly && typeof action !== 'object') happened.detached.add(rid);
      }
    }
  }
  return happened;
}

function emptiedIn({ tables }: GeneratedCase, { table, before, after }: RowChange): number {
  if (after === undefined) return 0;
  const references = tables.find(({ name }) => name === table)?.references ?? [];
  const columns = references
    .filter(({ onDelete }) => onDelete !== null)
    .flatMap(({ pairs }) => pairs.map(({ child }) => child));
  return columns.filter((column) => before[column] !== null && after[column] === null).length;
}
