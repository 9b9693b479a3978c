import { describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { DueRequest } from '../../../src/domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { startRequests } from '../../../src/store/shared/requests/start-requests.ts';
import {
  ACME,
  BY,
  commandFor,
  DAY,
  GLOBEX,
  planned,
  plannedHeld,
  START,
} from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { usePostgres } from './use-postgres.ts';

const commandsFor = (due: readonly DueRequest[]) =>
  due.map((request) => commandFor(request, [planned('crm')], [Buffer.alloc(32, 7)]));

describe.skipIf(!(await hasPostgres()))('starts of several nodes', () => {
  const use = usePostgres();

  async function createMany(many: number, controllers: readonly ControllerId[] = [ACME]) {
    const { scene, under } = use();
    for (let n = 0; n < many; n++) {
      await scene.create({ controllerId: controllers[n % controllers.length] ?? ACME });
    }
    return under.store.dueRequests(START, many);
  }

  const countStarts = async (controllerId: ControllerId) => {
    const row = await use().under.database.get<{ count: number }>(
      `SELECT sum(count)::bigint AS count FROM @daily_counts
       WHERE what = 'starts' AND day >= 0 AND whose = $1`,
      [controllerId],
    );
    return row?.count ?? 0;
  };

  it('happen once, even if a stalled sweep wakes up during the next one', async () => {
    const { under, count } = use();
    const due = await createMany(60);
    const commands = commandsFor(due);
    const started = await Promise.all([
      under.store.startRequests(commands, START),
      under.second.startRequests(commands.toReversed(), START),
      under.second.startRequests(commands, START),
    ]);
    expect(started.reduce((sum, one) => sum + one)).toBe(60);
    expect(await count('@tasks')).toBe(60);
    expect(await count(`@new_audit_rows WHERE action = 'request.started'`)).toBe(60);
    expect(await countStarts(ACME)).toBe(60);
  });

  it('or the cancellation: one of them, under load, for each request', async () => {
    const { under, count } = use();
    const due = await createMany(120);
    const beside = await under.requestsBeside();
    const half = commandsFor(due);
    const starting = Array.from({ length: 12 }, (_, n) => {
      const some = half.slice(n * 10, n * 10 + 10);
      return (n % 2 ? under.store : under.second).startRequests(some, START);
    });
    const cancelling = due.map((request) =>
      beside.requests.cancel({ ...request, actor: 'client:one' }),
    );
    const started = (await Promise.all(starting)).reduce((sum, one) => sum + one);
    const cancelled = (await Promise.all(cancelling)).filter(
      ({ outcome }) => outcome === 'cancelled',
    ).length;
    await beside.close();
    expect(started + cancelled).toBe(120);
    expect(await count('@tasks')).toBe(started);
    expect(await count(`@requests WHERE status = 'in_progress'`)).toBe(started);
    expect(await count(`@requests WHERE status = 'cancelled'`)).toBe(cancelled);
    expect(await count('@sealed_identities')).toBe(started);
    expect(await count('@identity_digests')).toBe(started);
  });

  it('wait for a running cancellation, and find the request cancelled', async () => {
    const { under, whileOpen, scene } = use();
    const [request] = await createMany(1);
    if (request === undefined) throw new Error('it is not due');
    const started = whileOpen(
      (sql) =>
        sql.run(
          `UPDATE @requests SET status = 'cancelled', cancelled_time = $1 WHERE request_no = $2`,
          [START, request.requestNo],
        ),
      () => under.second.startRequests(commandsFor([request]), START),
    );
    expect(await started).toBe(0);
    expect(await scene.tasksOf(request)).toEqual([]);
  });

  it('are waited for by a cancellation, which finds them started', async () => {
    const { under, whileOpen } = use();
    const [request] = await createMany(1);
    if (request === undefined) throw new Error('it is not due');
    const beside = await under.requestsBeside();
    const cancelled = await whileOpen(
      (sql) =>
        startRequests(sql, commandsFor([request]), {
          now: START,
          maxStartsPerDay: null,
          receivedBefore: START,
          refused: () => undefined,
        }),
      () => beside.requests.cancel({ ...request, actor: 'client:one' }),
    );
    await beside.close();
    expect(cancelled).toEqual({ outcome: 'not_pending', status: 'in_progress' });
  });

  it('keep within the day of every controller, exactly, however many sweeps there are', async () => {
    const { under } = use();
    const due = await createMany(80, [ACME, GLOBEX]);
    const commands = commandsFor(due);
    const parts = Array.from({ length: 8 }, (_, n) => commands.slice(n * 10, n * 10 + 10));
    const sweep = (n: number) => {
      const part = parts[n] ?? [];
      const ordered = n % 2 ? part.toReversed() : part;
      return (n % 2 ? under.store : under.second).startRequests(ordered, START, 13);
    };
    const started = await Promise.all(parts.map((_, n) => sweep(n)));
    expect(started.reduce((sum, one) => sum + one)).toBe(26);
    for (const controllerId of [ACME, GLOBEX]) expect(await countStarts(controllerId)).toBe(13);
    expect((await under.store.controllersAtDailyLimit(13, START)).sort()).toEqual([ACME, GLOBEX]);
    const rest = await under.store.dueRequests(START, 100);
    expect(await under.store.startRequests(commandsFor(rest), START + DAY, 13)).toBe(26);
  });

  it('starts that an operator asked for count towards the limit, and are not postponed', async () => {
    const { under } = use();
    const due = await createMany(6);
    for (const request of due.slice(3)) await under.operator.askStart(request, BY);
    expect(await under.store.startRequests(commandsFor(due), START, 1)).toBe(4);
    expect(await countStarts(ACME)).toBe(4);
  });

  it('wait for an operator who is adding identities, and leave the request to the next sweep', async () => {
    const { under, scene, whileOpen } = use();
    const request = await scene.create({ identities: [] });
    const stale = commandFor(await scene.due(request), [plannedHeld('manual')]);
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    const { identify } = await import('../../../src/store/shared/requests/operate-requests.ts');
    const started = whileOpen(
      (sql) => identify(sql, request, { sealed, digests: [Buffer.from('d')] }, BY),
      () => under.second.startRequests([stale], START),
    );
    expect(await started).toBe(0);
    expect(await scene.statusOf(request)).toBe('pending');
  });
});
