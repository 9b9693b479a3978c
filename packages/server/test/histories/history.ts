// One history: the system and the model side by side. After every command the model is held against what can be
// seen.
import type { StoreKind } from '../helpers/stores/test-store.ts';
import { checkAttention } from './model/check-attention.ts';
import { checkEvidence } from './model/check-evidence.ts';
import { checkKept } from './model/check-kept.ts';
import { watchOrders } from './model/check-orders.ts';
import { checkStatuses } from './model/check-statuses.ts';
import { checkTasks } from './model/check-tasks.ts';
import { checkLegalHolds } from './model/legal-holds.ts';
import { type Look, look } from './model/look.ts';
import { createModel, type Model, Violation } from './model/model.ts';
import type { HistorySettings } from './system/settings.ts';
import { openSystem, type System } from './system/system.ts';

export interface History {
  readonly model: Model;
  readonly system: System;
  /** What was last seen. */
  readonly seen: () => Look;
  /** After everything that changes something. */
  check(hasDoneChores?: boolean): Promise<void>;
}

export const PEOPLE = ['ada', 'ben', 'cleo', 'dan'].map((name) => `${name}@example.com`);
/** By person: rows in the crm, and in the shop. */
const ROWS = [
  [1, 2],
  [0, 1],
  [6, 0],
  [0, 0],
] as const;

export async function openHistory(
  kind: StoreKind,
  settings: HistorySettings,
  onLook: (seen: Look) => void,
): Promise<History> {
  const model = createModel();
  const orders = watchOrders(model, () => system);
  const system: System = await openSystem(kind, settings, () => orders.events);
  for (const controllerId of ['acme', 'globex']) {
    for (const [person, [crm, shop]] of ROWS.entries()) {
      const email = PEOPLE[person] ?? '';
      for (let row = 0; row < crm; row++) system.world.add('crm', controllerId, email);
      for (let row = 0; row < shop; row++) system.world.add('shop', controllerId, email);
    }
  }
  let seen = await look(system, model);
  return {
    model,
    system,
    seen: () => seen,
    async check(hasDoneChores = false) {
      orders.check();
      for (const { troubles } of system.alive()) {
        const [trouble] = troubles;
        if (trouble !== undefined) throw new Violation(`the worker reports ${trouble}`);
      }
      seen = await look(system, model);
      onLook(seen);
      checkStatuses(model, seen, system);
      checkTasks(model, seen, system);
      checkEvidence(model, seen, system);
      checkAttention(model, seen, system);
      const holds = await system.store().legalHolds.list({ isInForce: true });
      checkLegalHolds(model, seen, holds, hasDoneChores);
      if (!hasDoneChores && !model.looksDeep) return;
      model.looksDeep = false;
      await checkKept(model, seen, system, hasDoneChores);
    },
  };
}
