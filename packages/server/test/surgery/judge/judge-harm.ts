// No harm: whatever changed or went was the person's, at the time, or the configuration allows it for its table.

import { entryOf, type Snapshot } from '../declared-world.ts';
import type { Configuration, GeneratedCase } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import type { Span } from '../run-try.ts';
import { isDetached } from './detached-rows.ts';
import { isOfTenant } from './is-of-tenant.ts';
import { findOwnership, type Ownership } from './model.ts';
import { changesBetween, type RowChange } from './row-changes.ts';
import type { Violation } from './violation.ts';
import type { Claim } from './ways-of-row.ts';

export function judgeHarm(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  return records.flatMap((record, tryNo) =>
    record.spans.flatMap((span) => {
      const changed = changesBetween(span.from, span.to);
      if (changed.length === 0) return [];
      const owners = [
        ...ownersAt(generated, record.configuration, span.from),
        ...ownersBeforeOthers(generated, record, span),
      ];
      return changed
        .filter((change) => !isAllowed(generated, record.configuration, owners, change, span))
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

function ownersAt(
  generated: GeneratedCase,
  configuration: Configuration,
  rows: Snapshot,
): Ownership[] {
  const world = { ...generated, configuration };
  return generated.requests.map((request) => findOwnership(world, rows, request));
}

/** What others write at the same time, without touching a row of the requests, may have come afterwards. */
function ownersBeforeOthers(
  generated: GeneratedCase,
  { configuration, changedDuring }: TryRecord,
  { beforeOthers }: Span,
): Ownership[] {
  if (beforeOthers === undefined) return [];
  const owners = ownersAt(generated, configuration, beforeOthers);
  const isTouched = owners.some(({ claims }) =>
    [...claims.values()].some((rows) => [...rows.keys()].some((rid) => changedDuring.has(rid))),
  );
  return isTouched ? [] : owners;
}

function isAllowed(
  generated: GeneratedCase,
  configuration: Configuration,
  owners: readonly Ownership[],
  change: RowChange,
  span: Span,
): boolean {
  const { table, rid, before } = change;
  if (configuration.cascades.includes(table)) {
    const world = { ...generated, configuration };
    return generated.requests.some((request) =>
      isOfTenant(world, span.from, { table }, before, request),
    );
  }
  const triggers = generated.tables.flatMap((one) => one.triggers);
  if (triggers.some(({ name, to }) => to === table && configuration.triggers.includes(name))) {
    return true;
  }
  if (isDetached(generated, configuration, change, span)) return true;
  const action = entryOf({ configuration }, table, before)?.action;
  if (action === undefined || action === 'retain') return false;
  if (typeof action === 'object') {
    const columns = [...Object.keys(action.overwrite), ...detachedIn(configuration, table)];
    if (!isOverwritten(generated, columns, change)) return false;
  }
  // Where a hold is due, nothing of the request may be touched.
  return owners.some(
    ({ claims, holds }) => holds.length === 0 && mayGo(claims.get(table)?.get(rid)),
  );
}

const detachedIn = ({ detach }: Configuration, table: string) =>
  detach.flatMap((name) => (name.startsWith(`${table}.`) ? [name.slice(table.length + 1)] : []));

const mayGo = (claim: Claim | undefined) => claim === 'own';

/** It is there, and no column has changed but those named and those that a foreign key empties. */
function isOverwritten(
  { tables }: GeneratedCase,
  columns: readonly string[],
  { table, before, after }: RowChange,
): boolean {
  if (after === undefined) return false;
  const emptied = (tables.find(({ name }) => name === table)?.references ?? [])
    .filter(({ onDelete }) => onDelete?.startsWith('SET'))
    .flatMap(({ pairs }) => pairs.map(({ child }) => child));
  return Object.keys(before).every(
    (column) =>
      before[column] === after[column] ||
      columns.includes(column) ||
      (after[column] === null && emptied.includes(column)),
  );
}
