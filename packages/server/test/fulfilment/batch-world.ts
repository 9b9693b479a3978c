// Fulfilment as the worker builds it, over a real store and a connector in memory, on a virtual clock.
import { createSecretKey, randomBytes } from 'node:crypto';
import { Identity } from '../../src/domain/request/identity.ts';
import type { NewRequest } from '../../src/domain/request/request.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { ModuleTargetConfig, TargetConfig } from '../../src/domain/target/target.ts';
import { createBackoff } from '../../src/domain/task/backoff.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import { type BatchResult, createRunBatch } from '../../src/fulfilment/batch/run-batch.ts';
import { createConnectorsInUse } from '../../src/fulfilment/connectors-in-use.ts';
import { createGate } from '../../src/fulfilment/gate/gate.ts';
import { createOpenIdentities } from '../../src/fulfilment/open-subjects.ts';
import { createPlanRequest } from '../../src/fulfilment/start/plan-request.ts';
import { createStartDue } from '../../src/fulfilment/start/start-due.ts';
import { createIdentityDigest } from '../../src/vault/digest-identities.ts';
import {
  ACME,
  createScene,
  GLOBEX,
  type OpenFulfilmentStore,
  START,
  type VirtualClock,
} from '../contract/fulfilment/under-test.ts';
import { openSqliteFulfilment } from '../helpers/stores/open-fulfilment-store.ts';
import { createMemoryConnector, type Row } from './memory-connector.ts';

export const FIRST_RETRY_MS = 30_000;

export function aTarget(changes: Partial<ModuleTargetConfig> = {}): ModuleTargetConfig {
  return {
    name: 'crm',
    connector: 'module',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 100,
    maxRowsPerDay: null,
    batchSize: 50,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: 'digest-of-crm',
    planDigest: 'digest-of-crm',
    file: '/srv/crm.js',
    options: {},
    timeout: 60_000,
    ...changes,
  };
}

let rowNo = 0;

export function aRow(email: string, controllerId: string = ACME): Row {
  return { id: `row-${++rowNo}`, email, controllerId };
}

export async function openBatchWorld(
  targets: readonly TargetConfig[] = [aTarget()],
  maxStartsPerDay: number | null = null,
  clock: VirtualClock = { now: START },
  open: OpenFulfilmentStore = openSqliteFulfilment,
  cancellationWindowMs = 0,
) {
  const under = await open([ACME, GLOBEX], clock);
  const scene = createScene(under, clock);
  const connector = createMemoryConnector();
  const openIdentities = createOpenIdentities(under.openIdentities);
  const backoff = createBackoff(FIRST_RETRY_MS, () => 0.5);
  const connectors = createConnectorsInUse(async () => connector);
  const digestKeys = [createIdentityDigest(createSecretKey(randomBytes(32)))];
  const startDue = createStartDue({
    store: under.store,
    plan: createPlanRequest(targets),
    openIdentities,
    digest: (...of) => digestKeys.map((digest) => digest(...of)).at(-1) ?? new Uint8Array(),
    digestAcross: (...of) => digestKeys.map((digest) => digest(...of)),
    clock: () => clock.now,
    cancellationWindowMs,
    maxStartsPerDay,
  });

  function createRun(
    store: FulfilmentStore = under.store,
    connectorOf: (target: TargetConfig) => Promise<Connector> = connectors.connectorOf,
  ) {
    return createRunBatch({
      store,
      clock: () => clock.now,
      backoff,
      openIdentities,
      targetNamed: (name) => targets.find((target) => target.name === name),
      allTargets: () => targets,
      connectorOf,
      release: connectors.release,
      gate: createGate(() => clock.now),
      sealIdentities: under.sealIdentities,
      openVia: under.openVia,
      keysVault: { seal: under.sealKeys, open: under.openKeys },
      digestAcross: (...of) => digestKeys.map((digest) => digest(...of)),
      digestAll: (...of) => digestKeys.map((digest) => digest(...of)),
    });
  }

  /** One batch at the target, by the configuration or by what is given in its place. */
  async function run(name = 'crm', target = targets.find((one) => one.name === name)) {
    return await createRun()(await scene.lease(name), target);
  }

  /** The same, where the target is not in the configuration any more. */
  async function runWithout(name = 'crm'): Promise<BatchResult> {
    return await createRun()(await scene.lease(name), undefined);
  }

  /** Received and started, for a person with these emails. */
  async function erasureOf(
    emails: readonly string[],
    changes: Partial<NewRequest> = {},
  ): Promise<NewRequest> {
    const identities = emails.map((email) => new Identity('email', email));
    const request = await scene.create({ identities, ...changes });
    await startDue();
    return request;
  }

  /** The worker dies at this point: nothing of it happens after `point` has. */
  async function dieAfter(point: 'recordTransaction' | 'erase' | 'verify'): Promise<void> {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const dead = <T>(): Promise<T> => {
      resolve();
      return new Promise(() => undefined);
    };
    const recordTransaction: FulfilmentStore['recordTransaction'] = async (...args) => {
      await under.store.recordTransaction(...args);
      return await dead();
    };
    const dying =
      point === 'recordTransaction' ? { ...under.store, recordTransaction } : under.store;
    if (point === 'erase' || point === 'verify') {
      connector.tricks = {
        [point]: async (honest: () => unknown) => {
          honest();
          return await dead();
        },
      };
    }
    createRun(dying)(await scene.lease('crm'), targets[0]).catch(() => undefined);
    await reached;
    connector.tricks = {};
    clock.now += 31_000;
  }

  const evidenceOf = async (request: NewRequest, target = 'crm') =>
    (await scene.task(request, target)).evidence;

  return {
    clock,
    under,
    scene,
    connector,
    connectors,
    backoff,
    startDue,
    createRun,
    run,
    runWithout,
    erasureOf,
    dieAfter,
    evidenceOf,
    replaceDigestKey: () => digestKeys.push(createIdentityDigest(createSecretKey(randomBytes(32)))),
    close: under.close,
  };
}

export type BatchWorld = Awaited<ReturnType<typeof openBatchWorld>>;
