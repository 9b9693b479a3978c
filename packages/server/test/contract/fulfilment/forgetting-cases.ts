import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import {
  ACME,
  anIntent,
  aTransaction,
  BY,
  DAY,
  erasedOutcome,
  GLOBEX,
  intendedRows,
  MINUTE,
  planned,
  plannedHeld,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const DIGEST = Buffer.alloc(32, 7);

export function casesOfForgetting(use: UseStore): void {
  /** Erased at the shop, with an intent, and so completed. */
  async function completed(): Promise<RequestKey> {
    const { under, scene, clock } = use();
    const request = await scene.create();
    await scene.start(request, [planned('shop')], [DIGEST]);
    const batch = await scene.lease('shop');
    const [task] = batch.tasks;
    if (task === undefined) throw new Error('there is no task');
    const keys = under.sealKeys(request, 'shop', intendedRows({ customers: [['1']] }));
    await under.store.recordTransaction(
      batch,
      aTransaction({ intents: [anIntent(task.taskNo, keys)] }),
      0,
      clock.now,
    );
    await under.store.recordOutcomes(batch, [erasedOutcome(task.taskNo)], [], clock.now);
    return request;
  }

  it('shreds the identities and intents of a completed request when its time has come', async () => {
    const { under, scene, clock } = use();
    const { forgetting, tasks } = under;
    const request = await completed();
    expect(await tasks.sealedIdentities(request)).toHaveLength(1);

    const until = clock.now;
    expect(await forgetting.anyToShred(until - 1)).toBe(false);
    expect(await forgetting.shred(until - 1, 10, clock.now)).toBe(0);
    expect(await forgetting.anyToShred(until)).toBe(true);
    expect(await forgetting.shred(until, 10, clock.now + MINUTE)).toBe(1);

    expect(await tasks.sealedIdentities(request)).toEqual([]);
    expect((await scene.task(request, 'shop')).counts).toBeNull();
    expect((await scene.task(request, 'shop')).evidence).toMatchObject({ action: 'erased' });
    expect(await scene.statusOf(request)).toBe('completed');
    expect((await under.audit(request)).at(-1)).toMatchObject({
      action: 'request.shredded',
      actor: 'system',
    });
    expect(await forgetting.anyToShred(until)).toBe(false);
    expect(await under.forgettingOperator.seen(ACME, [[DIGEST]], BY)).toMatchObject([[{}]]);
  });

  it('shreds identities that an operator added as well', async () => {
    const { under, scene, clock } = use();
    const request = await scene.create();
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    await under.operator.identify(request, { sealed, digests: [] }, BY);
    await scene.start(request, [planned('shop')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    expect(await under.tasks.sealedIdentities(request)).toHaveLength(2);
    expect(await under.forgetting.shred(clock.now, 10, clock.now)).toBe(1);
    expect(await under.tasks.sealedIdentities(request)).toEqual([]);
  });

  it('finds the requests that named a person with one of several controllers', async () => {
    const { under } = use();
    const request = await completed();
    const unknown = Buffer.alloc(DIGEST.length, 9);
    const { named } = under.forgettingOperator;
    const lookups = [
      { controllerId: GLOBEX, digests: [unknown] },
      { controllerId: ACME, digests: [unknown, DIGEST] },
    ];
    expect(await named(lookups, BY)).toEqual([
      { controllerId: ACME, subjectRequestId: request.subjectRequestId },
    ]);
    expect(await named([{ controllerId: GLOBEX, digests: [DIGEST] }], BY)).toEqual([]);
    expect(await named([{ controllerId: ACME, digests: [] }], BY)).toEqual([]);
  });

  it('shreds at most a given number of requests at a time', async () => {
    const { under, clock } = use();
    for (let n = 0; n < 3; n++) await completed();
    expect(await under.forgetting.shred(clock.now, 2, clock.now)).toBe(2);
    expect(await under.forgetting.shred(clock.now, 2, clock.now)).toBe(1);
  });

  it('says for each of many people which requests named it, of this controller alone', async () => {
    const { under, scene } = use();
    const [jane, janeToo, bob, nobody] = [1, 2, 3, 4].map((no) => Buffer.alloc(32, no));
    const people = [[nobody], [jane, janeToo], [bob], [janeToo]] as Buffer[][];
    const first = await scene.create();
    await scene.start(first, [planned('shop')], [jane, bob] as Buffer[]);
    const second = await scene.create();
    await scene.start(second, [planned('shop')], [janeToo] as Buffer[]);
    const seen = async (controllerId: typeof ACME) =>
      (await under.forgettingOperator.seen(controllerId, people, BY)).map((found) =>
        found.map(({ subjectRequestId }) => subjectRequestId),
      );

    const [one, two] = [first.subjectRequestId, second.subjectRequestId];
    expect(await seen(ACME)).toEqual([[], [one, two], [one], [two]]);
    expect(await seen(GLOBEX)).toEqual([[], [], [], []]);
  });

  it('shreds nothing of a request that is pending or in progress', async () => {
    const { under, scene, clock } = use();
    const pending = await scene.create();
    const inProgress = await scene.started([planned('shop'), plannedHeld('paper')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    const later = clock.now + 1000 * DAY;
    expect(await under.forgetting.anyToShred(later)).toBe(false);
    expect(await under.forgetting.shred(later, 10, later)).toBe(0);
    expect(await under.forgetting.forget(later, 10)).toBe(0);
    for (const request of [pending, inProgress]) {
      expect(await under.tasks.sealedIdentities(request)).toHaveLength(1);
    }
  });

  it('leaves nothing that names the person of a cancelled request', async () => {
    const { under, scene, clock } = use();
    const request = await scene.create();
    const identities = [new Identity('email', 'j.doe@example.com')];
    const sealed = under.sealIdentities(request, identities);
    await under.operator.identify(request, { sealed, digests: [DIGEST] }, BY);
    await under.requests.cancel({ ...request, actor: 'client:one' });
    expect(await under.tasks.sealedIdentities(request)).toEqual([]);
    expect(await under.forgettingOperator.seen(ACME, [[DIGEST]], BY)).toEqual([[]]);
    expect(await under.forgetting.anyToShred(clock.now + DAY)).toBe(false);
  });

  it('forgets final requests with everything that belongs to them, and then their ids are free', async () => {
    const { under, scene, clock } = use();
    const { forgetting } = under;
    const request = await completed();
    const cancelled = await scene.create();
    await under.requests.cancel({ ...cancelled, actor: 'client:one' });
    const newer = await scene.create();

    expect(await forgetting.anyToForget(clock.now - 1)).toBe(false);
    expect(await forgetting.anyToForget(clock.now)).toBe(true);
    expect(await forgetting.forget(clock.now, 10)).toBe(2);
    await forgetting.sweep(clock.now);

    expect(await forgetting.anyToForget(clock.now)).toBe(false);
    expect(await scene.tasksOf(request)).toEqual([]);
    for (const gone of [request, cancelled]) expect(await scene.statusOf(gone)).toBeUndefined();
    expect(await scene.statusOf(newer)).toBe('pending');
    expect(await under.forgettingOperator.seen(ACME, [[DIGEST]], BY)).toEqual([[]]);
    const { subjectRequestId } = request;
    expect(await scene.create({ subjectRequestId })).toMatchObject({ subjectRequestId });
    expect(await scene.statusOf(request)).toBe('pending');
    expect(await under.audit(request)).toEqual([]);
  });

  it('keeps the newest request until there is a newer one: its number is not given out again', async () => {
    const { under, scene, clock } = use();
    await completed();
    expect(await under.forgetting.anyToForget(clock.now)).toBe(false);
    expect(await under.forgetting.forget(clock.now, 10)).toBe(0);
    await scene.create();
    expect(await under.forgetting.forget(clock.now, 10)).toBe(1);
  });

  it('keeps no digests of the newest request after their time, so that no guess can be tested', async () => {
    const { under, scene, clock } = use();
    const request = await completed();
    const { seen } = under.forgettingOperator;
    await under.forgetting.sweep(clock.now - 1);
    expect(await seen(ACME, [[DIGEST]], BY)).toMatchObject([[{}]]);
    await under.forgetting.sweep(clock.now);
    expect(await seen(ACME, [[DIGEST]], BY)).toEqual([[]]);
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('says of a request that named a person when it ended, and how', async () => {
    const { under, clock } = use();
    const request = await completed();
    const { seen } = under.forgettingOperator;
    expect((await seen(ACME, [[Buffer.alloc(32, 1), DIGEST, DIGEST]], BY)).flat()).toEqual([
      {
        subjectRequestId: request.subjectRequestId,
        status: 'completed',
        receivedTime: clock.now,
        completedTime: clock.now,
        outcome: 'erased',
      },
    ]);
  });

  it('forget a closed controller when no request and no legal hold of it is left', async () => {
    const { under, scene, clock } = use();
    const by = { actor: 'operator:olga', now: clock.now };
    const on = { digests: [Buffer.from('jane')] };
    const place = (controllerId: typeof ACME) =>
      under.legalHolds.place({ controllerId, on, reason: 'a claim', untilTime: null }, by);
    await scene.create({ controllerId: GLOBEX });
    const { hold } = await place(ACME);
    await under.tamper('UPDATE @controllers SET closed_time = 1');
    await under.forgetting.sweep(clock.now);
    const second = await place(ACME);
    for (const { holdNo } of [hold, second.hold]) await under.legalHolds.lift(holdNo, 'over', by);
    await under.forgetting.sweep(clock.now);
    await expect(place(ACME)).rejects.toThrow();
    await place(GLOBEX);
  });
}
