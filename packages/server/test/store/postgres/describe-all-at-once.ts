// Sweeps, workers, operators, clients and forgetting, all at once on several nodes' connections: whatever
// they do to each other, in the end every request is over, and everything is counted once.

import { describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { FulfilmentStore, LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { NotPossible } from '../../../src/domain/task/operator-ports.ts';
import type { TaskOutcome } from '../../../src/domain/task/task.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import {
  ACME,
  aRequest,
  aTransaction,
  BY,
  commandFor,
  erasedOutcome,
  GLOBEX,
  planned,
  plannedHeld,
  START,
} from '../../contract/fulfilment/under-test.ts';
import { usePostgres } from './use-postgres.ts';

const REQUESTS = 80;
const TARGETS = ['crm', 'shop', 'mail'];
const WHY = { reason: 'an open lawsuit', legalBasis: 'Art. 17(3)(e) GDPR' };

/** The same in every run, but mixed. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** `rounds`: how often everybody acts. */
export function describeAllAtOnce(rounds: number): void {
  describe('everything at once', () => casesOfAllAtOnce(rounds));
}

function casesOfAllAtOnce(rounds: number): void {
  const use = usePostgres();

  function outcomeOf({ phase }: LeasedBatch, taskNo: number, dice: number): TaskOutcome {
    if (phase === 'resolve') return { taskNo, outcome: 'resolved' };
    const words = { code: 'x', detail: 'y', dueTime: START };
    if (dice === 0) return { taskNo, outcome: 'failed', ...words };
    if (dice !== 1) return erasedOutcome(taskNo);
    return { taskNo, outcome: 'held', reason: 'over_cap', detail: 'z', previewedRows: 5 };
  }

  async function sweep(store: FulfilmentStore): Promise<void> {
    const due = await store.dueRequests(START, 20);
    const tasks = [planned('crm', 'resolve'), planned('shop'), planned('mail')];
    const commands = due.map((request) =>
      request.identities.length === 0
        ? commandFor(request, [plannedHeld('manual')])
        : commandFor(request, tasks, [Buffer.from(request.subjectRequestId)]),
    );
    await store.startRequests(commands, START, 1000);
  }

  async function work(
    store: FulfilmentStore,
    target: string,
    roll: (sides: number) => number,
  ): Promise<void> {
    const leaseRequest = {
      target,
      max: 1 + roll(8),
      worker: 'w',
      now: START,
      leaseUntil: START + 30_000,
    };
    const batch = await store.leaseBatch(leaseRequest);
    if (batch === undefined) return;
    const reservations = batch.tasks.map(({ taskNo }) => ({ taskNo, rows: 1, isReleased: false }));
    await store.recordTransaction(
      batch,
      aTransaction({ reservations, maxRowsPerDay: 1_000_000 }),
      0,
      START,
    );
    const outcomes = batch.tasks.map(({ taskNo }) => outcomeOf(batch, taskNo, roll(12)));
    await store.recordOutcomes(batch, outcomes, [], START);
  }

  async function operate(requests: readonly NewRequest[], roll: (sides: number) => number) {
    const { under, scene } = use();
    const request = requests[roll(requests.length)] as NewRequest;
    const by = { actor: BY.actor, now: START };
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    const tasks = await scene.tasksOf(request);
    const taskNo = tasks[roll(Math.max(1, tasks.length))]?.taskNo ?? 0;
    const { operator, forgettingOperator } = under;
    const query = { target: 'shop', since: START, until: START, controllers: null };
    const acts = [
      () => operator.askStart(request, by),
      () => operator.retry(request, by),
      () => operator.identify(request, { sealed, digests: [Buffer.from(`${roll(9)}`)] }, by),
      () => operator.release(taskNo, by),
      () => operator.retain(taskNo, WHY, by),
      () => under.requests.cancel({ ...request, actor: 'client:one' }),
      () => forgettingOperator.eraseAgain(query, planned('shop'), by),
    ];
    // Half of what operators ask for comes too early or too late.
    await acts[roll(acts.length)]?.().catch((error: unknown) => {
      if (!(error instanceof NotPossible)) throw error;
    });
  }

  it('ends every request, and counts everything once', async () => {
    const { under, count } = use();
    const { store, second, operator, database } = under;
    const requests = Array.from({ length: REQUESTS }, (_, n) =>
      aRequest({
        controllerId: n % 2 ? ACME : GLOBEX,
        ...(n % 5 === 0 && { identities: [] }),
      }),
    );
    await Promise.all(requests.map((request) => under.requests.create(request)));
    const forgetting = createForgettingStore(under.secondDatabase);
    const actor = async (
      seed: number,
      act: (roll: (sides: number) => number) => Promise<unknown>,
    ) => {
      const roll = createDice(seed);
      for (let round = 0; round < rounds; round++) await act(roll);
    };
    await Promise.all([
      ...requests
        .filter((_, n) => n % 4 === 0)
        .map((request) => under.requests.cancel({ ...request, actor: 'client:one' })),
      actor(1, () => sweep(store)),
      actor(2, () => sweep(second)),
      ...[3, 4, 5, 6].map((seed) =>
        actor(seed, (roll) => work(seed % 2 ? store : second, TARGETS[roll(3)] ?? 'crm', roll)),
      ),
      ...[7, 8, 9].map((seed) => actor(seed, (roll) => operate(requests, roll))),
      actor(10, (roll) => forgetting.shred(START, 1 + roll(3), START)),
    ]);

    const by = { actor: BY.actor, now: START };
    for (let left = -1; left !== 0; ) {
      await sweep(store);
      for (const target of await store.targetsWithWork(START)) {
        await work(store, target, (sides) => sides - 1);
      }
      for (const { taskNo } of await under.tasks.tasks({ state: 'held', limit: 1000 })) {
        await operator.retain(taskNo, WHY, by);
      }
      left = await count(`@requests WHERE status IN ('pending', 'in_progress')`);
      left += await count(`@tasks WHERE state <> 'erased'`);
    }
    expect(await count('@batches')).toBe(0);
    expect(await count('@requests WHERE again_asked_time IS NOT NULL')).toBe(0);
    const completed = await count(`@requests WHERE status = 'completed'`);
    const cancelled = await count(`@requests WHERE status = 'cancelled'`);
    expect(completed + cancelled).toBe(REQUESTS);
    expect(await count('@tasks WHERE run > 1')).toBeGreaterThan(0);
    const written = (action: string) => count('@new_audit_rows WHERE action = $1', [action]);
    expect(await written('request.completed')).toBe(completed);
    expect(await written('request.cancelled')).toBe(cancelled);
    const sums = await database.all(
      `SELECT what, sum(count)::int AS count FROM @daily_counts
       WHERE day = -1 AND what IN ('starts', 'completed', 'cancelled') GROUP BY what ORDER BY what`,
    );
    expect(sums).toEqual(
      [
        { what: 'cancelled', count: cancelled },
        { what: 'completed', count: completed },
        { what: 'starts', count: completed },
      ].filter((sum) => sum.count > 0),
    );
    const ofCancelled = `WHERE request_no IN (SELECT request_no FROM @requests
      WHERE status = 'cancelled')`;
    for (const table of ['tasks', 'sealed_identities', 'added_identities', 'identity_digests']) {
      expect([table, await count(`@${table} ${ofCancelled}`)]).toEqual([table, 0]);
    }
    expect(await written('task.erased')).toBe(
      await count(`@tasks WHERE evidence::json ->> 'action' = 'erased'`),
    );
  }, 360_000);
}
