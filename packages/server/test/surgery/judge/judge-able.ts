// Able: where the gate has no problem and no hold is due, the request completes within a few tries. Where one
// is, the task is held: it never fails again and again.

import type { GeneratedCase, GeneratedRequest } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import { isSamePlan } from '../same-plan.ts';
import { canBeDeleted } from './can-be-deleted.ts';
import { isTenantThere } from './is-of-tenant.ts';
import { findOwnership } from './model.ts';
import { findOrphans } from './orphans.ts';
import { isUnknowable } from './uncertain-rows.ts';
import type { Violation } from './violation.ts';

export function judgeAble(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  const last = records.at(-1);
  if (last === undefined || last.problems.length > 0) return [];
  const { configuration } = last;
  if (configuration.mode === 'preview' || configuration.maxRowsPerDay !== null) return [];
  if (records.some(({ problems }) => problems.length > 0)) return [];
  const isFree = areFree(generated, records);
  return last.tasks
    .filter(({ state }) => state !== 'erased' && (isFree || state !== 'held'))
    .map(({ state, reason, detail }): Violation => {
      const why = `${state}: ${reason}: ${detail}`;
      const rule = isFree ? `${reason}` : `neither done nor held: ${reason}`;
      return { kind: 'unable', tryNo: records.length - 1, rule, detail: why };
    });
}

/** Of several in a batch, one that is held holds up those that share its rows. */
function areFree(generated: GeneratedCase, records: readonly TryRecord[]): boolean {
  if (records.some(({ hasReleased }) => hasReleased)) return false;
  const configuration = records.at(-1)?.configuration;
  const isSettled = records.every(
    (one) =>
      one.interruption === 'none' ||
      (configuration !== undefined && isSamePlan(one.configuration, configuration)),
  );
  return (
    isSettled &&
    !isUnknowable(generated, records) &&
    generated.requests.every((request) => isFree(generated, records, request))
  );
}

/** No hold was due in any try: a held task is not tried again by itself. */
function isFree(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  request: GeneratedRequest,
): boolean {
  return records.every((record, at) => {
    const world = { ...generated, configuration: record.configuration };
    if (record.configuration.mode === 'preview') return false;
    if (record.configuration.maxRowsPerDay !== null) return false;
    const during = record.spans.flatMap(({ from, beforeOthers }) => [from, beforeOthers ?? from]);
    return [record.before, ...during, record.after].every((rows) => {
      const owned = findOwnership(world, rows, request);
      if (owned.holds.length > 0 || owned.mayHold) return false;
      if (!isTenantThere(world, rows, request)) return false;
      if (!canBeDeleted(generated, record.configuration, owned, rows, request)) return false;
      return findOrphans(generated, records.slice(0, at + 1), request, rows).length === 0;
    });
  });
}
