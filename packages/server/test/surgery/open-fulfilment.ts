// Fulfilment as the worker builds it, over a real store that all cases of a run share.
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config/config.ts';
import { createConnector } from '../../src/connectors/create-connector.ts';
import { Identity } from '../../src/domain/request/identity.ts';
import type { NewRequest } from '../../src/domain/request/request.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import { createBackoff } from '../../src/domain/task/backoff.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createRunBatch } from '../../src/fulfilment/batch/run-batch.ts';
import { createGate } from '../../src/fulfilment/gate/gate.ts';
import { createOpenIdentities } from '../../src/fulfilment/open-subjects.ts';
import { createPlanRequest } from '../../src/fulfilment/start/plan-request.ts';
import { createStartDue } from '../../src/fulfilment/start/start-due.ts';
import { createIdentityDigest } from '../../src/vault/digest-identities.ts';
import { createScene, START } from '../contract/fulfilment/under-test.ts';
import { openSqliteFulfilment } from '../helpers/stores/open-fulfilment-store.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import type { GeneratedRequest, GivenIdentity } from './generated-case.ts';

const CONTROLLERS = ['acme', 'globex'] as ControllerId[];

export async function openFulfilment() {
  const clock = { now: START };
  const under = await openSqliteFulfilment(CONTROLLERS, clock);
  const scene = createScene(under, clock);
  const folder = makeTemporaryFolder();
  const digest = createIdentityDigest(createSecretKey(randomBytes(32)));
  const gate = createGate(() => clock.now);
  const openIdentities = createOpenIdentities(under.openIdentities);

  function readTargets(
    text: string,
  ): readonly string[] | { readonly targets: readonly TargetConfig[] } {
    writeFileSync(join(folder.path, 'unwrite.config.yaml'), text);
    try {
      return { targets: loadConfig({}, {}, folder.path).config.targets };
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  async function receiveAt(
    targets: readonly TargetConfig[],
    { controllerId, identities }: GeneratedRequest,
  ): Promise<NewRequest> {
    const request: NewRequest = await scene.create({
      controllerId: controllerId as ControllerId,
      identities: identities.map(({ type, value }) => new Identity(type, value)),
    });
    await createStartDue({
      store: under.store,
      plan: createPlanRequest(targets),
      openIdentities,
      digest,
      digestAcross: () => [],
      clock: () => clock.now,
      cancellationWindowMs: 0,
      maxStartsPerDay: null,
    })();
    return request;
  }

  function createRun(
    store: FulfilmentStore,
    connectorOf: (target: TargetConfig) => Promise<Connector>,
    targets: readonly TargetConfig[],
  ) {
    return createRunBatch({
      store,
      clock: () => clock.now,
      backoff: createBackoff(1000, () => 0.5),
      openIdentities,
      targetNamed: (name) => targets.find((target) => target.name === name),
      allTargets: () => targets,
      connectorOf,
      release: () => undefined,
      gate,
      sealIdentities: under.sealIdentities,
      openVia: under.openVia,
      keysVault: { seal: under.sealKeys, open: under.openKeys },
      digestAcross: () => [],
      digestAll: () => [],
    });
  }

  return {
    clock,
    scene,
    openIdentities,
    store: under.store,
    operator: under.operator,
    pauses: under.pauses,

    /** By the real loader, from the text of a file; a list of problems where it is refused. */
    readTarget(text: string): TargetConfig | readonly string[] {
      const read = readTargets(text);
      return 'targets' in read ? (read.targets[0] ?? ['there is no target']) : read;
    },

    readTargets,

    connect: (target: TargetConfig) =>
      createConnector(target, {
        hash: (value) => `uw1:${createHash('sha256').update(value).digest('hex').slice(0, 22)}`,
        domain: 'erase.example',
      }),

    receive: (target: TargetConfig, request: GeneratedRequest) => receiveAt([target], request),

    receiveAt,

    runBatch: (store: FulfilmentStore, connector: Connector) =>
      createRun(store, async () => connector, []),

    createRun,

    async identify(request: NewRequest, { type, value }: GivenIdentity): Promise<void> {
      const sealed = under.sealIdentities(request, [new Identity(type, value)]);
      const digests = [digest(request.controllerId, new Identity(type, value))];
      const by = { actor: 'operator:olga', now: clock.now };
      await under.operator.identify(request, { sealed, digests }, by);
    },

    async close() {
      await under.close();
      folder.remove();
    },
  };
}

export type Fulfilment = Awaited<ReturnType<typeof openFulfilment>>;
