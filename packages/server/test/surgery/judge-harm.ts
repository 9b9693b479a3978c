// No harm: whatever changed or went was the person's, at the time, or the configuration allows it for its table.

import type { Snapshot } from './declared-world.ts';
import type { Configuration, GeneratedCase, Row } from './generated-case.ts';
import { findOwnership, type Ownership } from './model.ts';
import type { TryRecord } from './run-case.ts';
import type { Violation } from './violation.ts';
import type { Claim } from './ways-of-row.ts';

export function judgeHarm(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  return records.flatMap((record, tryNo) =>
    record.spans.flatMap(({ from, to }) => {
      const changed = changesBetween(from, to);
      if (changed.length === 0) return [];
      const owners = ownersAt(generated, record.configuration, from);
      return changed
        .filter((change) => !isAllowed(generated, record.configuration, owners, change))
        .map((change): Violation => {
          const rule = record.problems.length > 0 ? 'refused' : ruleOf(owners, change, tryNo);
          return { kind: 'harm', tryNo, rule, detail: `${change.table} ${change.rid}` };
        });
    }),
  );
}

/** Says what kind of mistake it is; of several tries, the first needs no memory. */
function ruleOf(
  owners: readonly Ownership[],
  { table, rid, after }: RowChange,
  tryNo: number,
): string {
  const verb = after === undefined ? 'deleted' : 'changed';
  const again = tryNo > 0 ? ', tried again' : '';
  const [hold] = owners.flatMap(({ holds }) => holds);
  if (hold !== undefined) return `${verb} although to be held: ${hold.reason}${again}`;
  const isKept = owners.some(({ claims }) => claims.get(table)?.has(rid));
  return `${verb} what is ${isKept ? 'to be kept' : "another's"}${again}`;
}

export interface RowChange {
  readonly table: string;
  readonly rid: string;
  readonly before: Row;
  /** undefined: it is gone. */
  readonly after: Row | undefined;
}

export function changesBetween(from: Snapshot, to: Snapshot): RowChange[] {
  return [...from].flatMap(([table, rows]) =>
    [...rows].flatMap(([rid, before]) => {
      const after = to.get(table)?.get(rid);
      const isSame = after !== undefined && JSON.stringify(after) === JSON.stringify(before);
      return isSame ? [] : [{ table, rid, before, after }];
    }),
  );
}

function ownersAt(
  generated: GeneratedCase,
  configuration: Configuration,
  rows: Snapshot,
): Ownership[] {
  const world = { ...generated, configuration };
  return generated.requests.map((request) => findOwnership(world, rows, request));
}

function isAllowed(
  { tables }: GeneratedCase,
  configuration: Configuration,
  owners: readonly Ownership[],
  { table, rid, after }: RowChange,
): boolean {
  if (configuration.cascades.includes(table)) return true;
  const triggers = tables.flatMap((one) => one.triggers);
  if (triggers.some(({ name, to }) => to === table && configuration.triggers.includes(name))) {
    return true;
  }
  const action = configuration.tables.find((one) => one.table === table)?.action;
  if (action === undefined || action === 'retain') return false;
  if (action !== 'delete' && after === undefined) return false;
  // Where a hold is due, nothing of the request may be touched.
  return owners.some(
    ({ claims, holds }) => holds.length === 0 && mayGo(claims.get(table)?.get(rid)),
  );
}

const mayGo = (claim: Claim | undefined) => claim === 'own' || claim === 'either';
