// Able: where the gate has no problem and no hold is due, the request completes within a few tries.

import type { Snapshot } from './declared-world.ts';
import type { GeneratedCase, GeneratedRequest } from './generated-case.ts';
import { isReferredTo } from './keep-constraints.ts';
import { findOwnership } from './model.ts';
import { findOrphans } from './orphans.ts';
import type { TryRecord } from './run-case.ts';
import { isSamePlan } from './same-plan.ts';
import type { Violation } from './violation.ts';

export function judgeAble(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  const last = records.at(-1);
  if (last === undefined || last.problems.length > 0) return [];
  const { configuration } = last;
  if (configuration.mode === 'preview' || configuration.maxRowsPerDay !== null) return [];
  if (records.some(({ hasReleased, problems }) => hasReleased || problems.length > 0)) return [];
  const isSettled = records.every(
    (one) => one.interruption === 'none' || isSamePlan(one.configuration, configuration),
  );
  if (!isSettled) return [];
  // Of several in a batch, one that is held holds up those that share its rows.
  const areFree = generated.requests.every((request) => isFree(generated, records, request));
  if (!areFree) return [];
  return last.tasks
    .filter(({ state }) => state !== 'erased')
    .map(({ state, reason, detail }): Violation => {
      const why = `${state}: ${reason}: ${detail}`;
      return { kind: 'unable', tryNo: records.length - 1, rule: `${reason}`, detail: why };
    });
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
    const looks = [record.before, ...record.spans.map(({ from }) => from), record.after];
    return (
      looks.every((rows) => {
        const { holds, mayHold, claims } = findOwnership(world, rows, request);
        return holds.length === 0 && !mayHold && canBeDeleted(generated, record, claims, rows);
      }) && findOrphans(generated, records.slice(0, at + 1), request).length === 0
    );
  });
}

type Claims = ReturnType<typeof findOwnership>['claims'];

/** Whether foreign keys and triggers let the rows go, without touching any others that are not allowed. */
function canBeDeleted(
  { database, tables }: GeneratedCase,
  { configuration }: TryRecord,
  claims: Claims,
  rows: Snapshot,
): boolean {
  const areKnown = tables
    .filter(({ name }) => configuration.cascades.includes(name))
    .every(({ triggers }) => triggers.every(({ name }) => configuration.triggers.includes(name)));
  if (!areKnown) return false;
  const order = configuration.tables.map(({ table }) => table);
  const going = new Map<string, Set<string>>();
  for (const { table, action } of configuration.tables) {
    if (action !== 'delete') continue;
    const own = [...(claims.get(table) ?? [])].filter(([, claim]) => claim === 'own');
    going.set(table, new Set(own.map(([rid]) => rid)));
    const triggers = tables.find(({ name }) => name === table)?.triggers ?? [];
    const areHarmless = triggers.every(
      ({ name, does }) => configuration.triggers.includes(name) && does === 'nothing',
    );
    if (own.length > 0 && !areHarmless) return false;
  }
  // Rows that go by a cascade take others with them.
  for (;;) {
    const before = [...going.values()].reduce((sum, { size }) => sum + size, 0);
    for (const child of tables) {
      for (const { parent, pairs, onDelete } of child.references) {
        if (onDelete === null) continue;
        for (const [rid, row] of rows.get(child.name) ?? []) {
          const isHit = [...(going.get(parent) ?? [])].some((above) => {
            const found = rows.get(parent)?.get(above);
            return (
              found !== undefined &&
              isReferredTo(database, tables, child.name, row, parent, found, pairs)
            );
          });
          if (!isHit) continue;
          if (going.get(child.name)?.has(rid)) {
            const isBefore = order.indexOf(child.name) < order.indexOf(parent);
            if (!isBefore && onDelete !== 'CASCADE') return false;
            continue;
          }
          if (onDelete === 'NO ACTION' || onDelete === 'RESTRICT') return false;
          if (!configuration.cascades.includes(child.name)) return false;
          if (child.triggers.length > 0) return false;
          if (onDelete !== 'CASCADE') continue;
          const ofChild = going.get(child.name) ?? new Set();
          going.set(child.name, ofChild.add(rid));
        }
      }
    }
    if ([...going.values()].reduce((sum, { size }) => sum + size, 0) === before) return true;
  }
}
