// What cannot be told after a worker died on its way to the target: whether it got there before somebody else.

import { haveOneKey, isKeyless } from '../declared-world.ts';
import type { GeneratedCase } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import type { Span } from '../run-try.ts';
import { isSamePlan } from '../same-plan.ts';
import { findOwnership } from './model.ts';
import { changesBetween, type RowChange } from './row-changes.ts';

/** Rows of the requests that somebody else changed or deleted after an intent to erase them. */
export function rowsThatMayHaveBeenOurs(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  table: string,
): number {
  const changed = changesAfterDeath(records, table);
  if (changed.length === 0) return 0;
  const ours = new Set(
    records.flatMap(({ configuration, before, spans }) =>
      [before, ...spans.map(({ from }) => from)].flatMap((rows) =>
        generated.requests.flatMap((request) => {
          const world = { ...generated, configuration };
          return [...(findOwnership(world, rows, request).claims.get(table)?.keys() ?? [])];
        }),
      ),
    ),
  );
  return changed.filter(({ rid }) => ours.has(rid)).length;
}

/** What somebody else changed in a table when a worker had died: it may have been the one. */
export function changesAfterDeath(records: readonly TryRecord[], table: string): RowChange[] {
  return gapsAfterDeath(records)
    .flatMap(({ from, to }) => changesBetween(from, to))
    .filter((change) => change.table === table);
}

/**
 * A row with the key of one that went or was overwritten hides that it was, and with it all that went in that
 * transaction. So does one with the key of a row that was about to go, where the plan is another since: whose it is
 * cannot be asked any more.
 */
export function isHidden(generated: GeneratedCase, records: readonly TryRecord[]): boolean {
  const ours = records.flatMap(({ spans }) =>
    spans.flatMap(({ from, to }) => changesBetween(from, to)),
  );
  const last = records.at(-1);
  const intended = records
    .filter(({ configuration }) => last && !isSamePlan(configuration, last.configuration))
    .flatMap((record) => rowsOfRequests(generated, record));
  // What is there afterwards and was not, or not like this.
  const came = gapsAfterDeath(records).flatMap(({ from, to }) => changesBetween(to, from));
  return came.some((one) =>
    [...ours, ...intended].some(
      (other) =>
        other.table === one.table &&
        haveOneKey(generated, entriesIn(generated, one.table), one.before, other.before),
    ),
  );
}

function rowsOfRequests(
  generated: GeneratedCase,
  { configuration, before }: TryRecord,
): Pick<RowChange, 'table' | 'before'>[] {
  const world = { ...generated, configuration };
  return generated.requests.flatMap((request) =>
    [...findOwnership(world, before, request).claims].flatMap(([table, claims]) =>
      [...claims.keys()].flatMap((rid) => {
        const row = before.get(table)?.get(rid);
        return row === undefined ? [] : [{ table, before: row }];
      }),
    ),
  );
}

/** Rows without a key came or went after a worker had died: how far it got cannot be told. */
export function isUnknowable(generated: GeneratedCase, records: readonly TryRecord[]): boolean {
  return gapsAfterDeath(records)
    .flatMap(({ from, to }) => [...changesBetween(from, to), ...changesBetween(to, from)])
    .some(({ table }) => entriesIn(generated, table).some((one) => isKeyless(generated, one)));
}

/** Of any configuration: a key may be another in the next. */
export const entriesIn = ({ configurations }: GeneratedCase, table: string) =>
  configurations.flatMap(({ tables }) => tables.filter((one) => one.table === table));

/**
 * What others did in a try whose worker died after it had begun to erase, and until the next that looked: where the
 * target was refused, nothing was settled.
 */
function gapsAfterDeath(records: readonly TryRecord[]): Span[] {
  return records.flatMap(({ interruption, spans, after }, at) => {
    const next = records[at + 1];
    const hasBegun = records.slice(0, at + 1).some(({ hasBegunToErase }) => hasBegunToErase);
    const looked = records.slice(0, at + 1).findLast(({ problems }) => problems.length === 0);
    const isOpen = interruption.startsWith('killed') || looked?.interruption.startsWith('killed');
    if (!isOpen || next === undefined || !hasBegun) return [];
    const gaps = spans.flatMap(({ to }, index) => {
      const following = spans[index + 1];
      return following === undefined ? [] : [{ from: to, to: following.from }];
    });
    return [...gaps, { from: after, to: next.before }];
  });
}
