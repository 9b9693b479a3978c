// The evidence names as many rows of each table as Unwrite really changed, over all tries.

import type { GeneratedCase } from './generated-case.ts';
import { changesBetween } from './judge-harm.ts';
import type { TryRecord } from './run-case.ts';
import type { Span } from './run-try.ts';
import type { Violation } from './violation.ts';

export function judgeEvidence(
  { tables }: GeneratedCase,
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
  const written = tables.flatMap(({ triggers }) => triggers.map(({ to }) => to));
  return [...declared].flatMap((table) => {
    if (written.includes(table)) return [];
    const claimed = done.reduce((sum, { evidence }) => {
      const found = evidence?.tables[table];
      return sum + (found === undefined || found.action === 'retain' ? 0 : found.rows);
    }, 0);
    const changed = rowsChanged(records, table).size;
    const uncertain = rowsThatMayHaveBeenOurs(records, table);
    if (claimed > changed + uncertain) {
      const detail = `the evidence claims ${claimed} rows of ${table}, and ${changed} were changed`;
      return [{ kind: 'lie', tryNo, rule: 'claimed', detail }] satisfies Violation[];
    }
    if (isAll && claimed < changed && !isHidden(records)) {
      const detail = `the evidence has ${claimed} rows of ${table}, and ${changed} were changed`;
      return [{ kind: 'lie', tryNo, rule: 'not claimed', detail }] satisfies Violation[];
    }
    return [];
  });
}

function rowsChanged(records: readonly TryRecord[], table: string): Set<string> {
  return new Set(
    records
      .flatMap(({ spans }) => spans.flatMap(({ from, to }) => changesBetween(from, to)))
      .filter((change) => change.table === table)
      .map(({ rid }) => rid),
  );
}

/** A worker that died on its way to the target cannot have said whether it got there. */
function rowsThatMayHaveBeenOurs(records: readonly TryRecord[], table: string): number {
  return gapsAfterDeath(records)
    .flatMap(({ from, to }) => changesBetween(from, to))
    .filter((change) => change.table === table).length;
}

/** A row with the key of one that went hides that it went, and with it all that went in that transaction. */
function isHidden(records: readonly TryRecord[]): boolean {
  return gapsAfterDeath(records).some(({ from, to }) => changesBetween(to, from).length > 0);
}

/** What others did in a try whose worker died, and until the next. */
function gapsAfterDeath(records: readonly TryRecord[]): Span[] {
  return records.flatMap(({ interruption, spans, after }, at) => {
    const next = records[at + 1];
    if (!interruption.startsWith('killed') || next === undefined) return [];
    const gaps = spans.flatMap(({ to }, index) => {
      const following = spans[index + 1];
      return following === undefined ? [] : [{ from: to, to: following.from }];
    });
    return [...gaps, { from: after, to: next.before }];
  });
}
