// A secret of our own is damaged while a server runs, and a worker is started then. What needs the secret waits and is
// told; everything else goes on, and the worker does not end over it.
import { randomUUID } from 'node:crypto';
import { isSubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NothingAuthentic } from '../../src/app/work.ts';
import { Identity } from '../../src/domain/request/identity.ts';
import type { RequestKey } from '../../src/domain/request/request.ts';
import { ACME } from '../contract/fulfilment/under-test.ts';
import { storeKinds } from '../helpers/stores/test-store.ts';
import { makeHome, type OpenedStore, type StoreHome } from '../histories/system/open-store.ts';
import { STARTS, workSettings } from '../histories/system/settings.ts';
import { FULL_CHOICES, targetsOf } from '../histories/system/targets.ts';
import { openWorker } from '../histories/system/worker.ts';
import { createWorld } from '../histories/system/world.ts';
import { createWorldConnector } from '../histories/system/world-connector.ts';

const MINUTE = 60_000;
const choices = { ...FULL_CHOICES, crm: 'none' } as const;
const settings = { start: STARTS[0], windowMs: 0, maxStartsPerDay: null, choices };

for (const kind of await storeKinds()) {
  describe(`a damaged secret, on ${kind}`, () => {
    const clock = { now: Date.parse(settings.start) };
    let home: StoreHome;
    let opened: OpenedStore;
    beforeEach(async () => {
      home = await makeHome(kind);
      opened = await home.open(() => clock.now);
    });
    afterEach(async () => {
      await opened.close();
      await home.remove();
    });

    const startWorker = () => {
      const world = createWorld();
      const ignore = () => undefined;
      return openWorker({
        workStore: opened.openWorkStore(),
        settings: workSettings(settings, targetsOf(choices), home.folder),
        clock: () => clock.now,
        name: 'worker',
        connectorOf: (target) => createWorldConnector(world, target),
        onMayErase: ignore,
        onErase: ignore,
        onLease: ignore,
      });
    };

    async function create(): Promise<RequestKey> {
      const subjectRequestId = randomUUID();
      if (!isSubjectRequestId(subjectRequestId)) throw new Error('not an id');
      await opened.requests.create({
        controllerId: ACME,
        subjectRequestId,
        regulation: 'gdpr',
        actor: 'client:one',
        submittedTime: new Date(clock.now).toISOString(),
        identities: [new Identity('email', 'jane@example.com')],
      });
      clock.now += 1000;
      return { controllerId: ACME, subjectRequestId };
    }

    const stateOf = async (request: RequestKey) =>
      (await opened.store.tasks.tasks({ ...request, limit: 10 })).map(({ state }) => state);
    const alarms = async () => opened.store.alarms.alarms({ limit: 100 });
    const sealedOf = (name: string) => opened.store.ownSecrets.ownSecret(name);
    const write = (name: string, sealed: Uint8Array) =>
      opened.database.run('UPDATE @own_secrets SET sealed = :sealed WHERE name = :name', {
        name,
        sealed,
      });

    /** Answers what puts it back. */
    async function damage(name: string): Promise<() => Promise<unknown>> {
      const before = Buffer.from((await sealedOf(name)) ?? []);
      const damaged = Buffer.from(before);
      damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);
      await write(name, damaged);
      return () => write(name, before);
    }

    /** A task waits at the shop, and another request for its start. */
    async function prepare() {
      const first = await startWorker();
      const started = await create();
      await first.startDue();
      expect(await stateOf(started)).toEqual(['waiting']);
      first.die();
      return { started, waiting: await create() };
    }

    const told = (name: string, alarmKind = 'unreadable') =>
      expect.objectContaining({
        kind: alarmKind,
        message: expect.stringMatching(
          new RegExp(`"${name}" of this store.* cannot be opened.*from a backup of this store`),
        ),
      });

    it('without the secret of hashes, tasks start, are erased and sealed', async () => {
      const { started, waiting } = await prepare();
      await damage('overwrite hashes');
      const worker = await startWorker();
      await worker.startDue();
      await worker.work('shop', 0);
      await worker.doChores();
      expect([await stateOf(started), await stateOf(waiting)]).toEqual([['erased'], ['erased']]);
      expect(await alarms()).toContainEqual(told('overwrite hashes'));
      expect(worker.troubles).toEqual([]);
    });

    it('without the secret of digests nothing starts until it is put back; started requests are erased', async () => {
      const { started, waiting } = await prepare();
      const putBack = await damage('identity digests');
      const worker = await startWorker();
      expect(await worker.startDue()).toEqual({ started: 0, more: false });
      await worker.work('shop', 0);
      expect([await stateOf(started), await stateOf(waiting)]).toEqual([['erased'], []]);
      expect(await alarms()).toContainEqual(told('identity digests'));

      await putBack();
      clock.now += MINUTE;
      await worker.startDue();
      await worker.work('shop', 0);
      expect(await stateOf(waiting)).toEqual(['erased']);
    });

    it('without the secret of proofs nothing is signed until it is put back; tasks start and are erased', async () => {
      const { started, waiting } = await prepare();
      const putBack = await damage('proof signing key');
      const worker = await startWorker();
      await worker.startDue();
      await worker.work('shop', 0);
      await worker.doChores();
      expect([await stateOf(started), await stateOf(waiting)]).toEqual([['erased'], ['erased']]);
      expect(await alarms()).toContainEqual(told('proof signing key', 'audit_tampered'));
      const heads = async () => (await opened.store.auditHeads.newestHead())?.headNo ?? 0;
      const before = await heads();

      await putBack();
      await worker.doChores();
      expect(await heads()).toBeGreaterThan(before);
    });

    it('without the secret of rows an alarm is raised, and the worker waits for it', async () => {
      await prepare();
      const putBack = await damage('row authentication');
      await expect(startWorker()).rejects.toThrow(NothingAuthentic);
      await expect(startWorker()).rejects.toThrow(NothingAuthentic);
      expect((await alarms()).filter((it) => it.kind === 'unreadable')).toHaveLength(1);
      expect(await alarms()).toContainEqual(told('row authentication'));
      await putBack();
      await (await startWorker()).startDue();

      const sealed = Buffer.from((await sealedOf('row authentication')) ?? []);
      await opened.database.run("DELETE FROM @own_secrets WHERE name = 'row authentication'");
      await expect(startWorker()).rejects.toThrow(NothingAuthentic);
      await opened.database.run(
        "INSERT INTO @own_secrets (name, sealed) VALUES ('row authentication', :sealed)",
        { sealed },
      );
      await (await startWorker()).startDue();
    });
  });
}
