// One batch at one of several targets, with what happens while it is under way.
import { isInternal } from '../../../src/domain/request/identity.ts';
import {
  type Connector,
  type EraseOrder,
  TargetDown,
  totalOf,
} from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import type { FulfilmentStore, LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import type { ErasedSpan, RunTask } from './run-record.ts';
import type { Scene } from './scene.ts';
import type { Step } from './several-case.ts';

export function createRunOne(scene: Scene) {
  const { fulfilment, configs, connectors, requests } = scene;
  const { store, clock, openIdentities } = fulfilment;

  function tasksOf(batch: LeasedBatch): RunTask[] {
    return batch.tasks.map((task) => ({
      request: requests.findIndex((one) => one?.subjectRequestId === task.subjectRequestId),
      taskNo: task.taskNo,
      sources: new Set(task.identities.map(({ source = '' }) => source.split('-')[0] ?? '')),
      known: openIdentities(task, task.identities).flatMap((one) =>
        isInternal(one.type) ? [] : { type: one.type, value: one.reveal() },
      ),
    }));
  }

  return async (
    name: string,
    { fault, between, afterwards }: Extract<Step, { does: 'run' }>,
    meanwhile: () => Promise<void>,
  ): Promise<void> => {
    const own = connectors.get(name);
    const config = configs.find((one) => one.name === name);
    if (own === undefined || config === undefined) throw new Error(name);
    const tasksBefore = await scene.tasks();
    const { now } = clock;
    const lease = { target: name, max: 100, worker: 'w', now, leaseUntil: now + 30_000 };
    const batch = await store.leaseBatch(lease);
    if (batch === undefined) return;
    const before = await scene.look();
    const spans: ErasedSpan[] = [];
    let isFirst = true;
    const { promise: death, resolve: die } = Promise.withResolvers<void>();
    const dead = (): Promise<never> => {
      die();
      return new Promise(() => undefined);
    };
    const down = () => {
      throw new TargetDown('unreachable', 'it is down');
    };

    const recordTransaction: FulfilmentStore['recordTransaction'] = async (...args) => {
      const may = await store.recordTransaction(...args);
      if (fault === 'killed after the intent') throw new Error('killed');
      return may;
    };

    const erase: Connector['erase'] = async (subjects, { decide, record }) => {
      if (isFirst) {
        await meanwhile();
        await scene.change(between);
      }
      if (fault === 'killed before erasing') return dead();
      const from = await scene.look();
      let ordered: readonly EraseOrder[] = [];
      const erased = own.erase(subjects, {
        decide(asked, previews) {
          ordered = decide(asked, previews);
          return ordered;
        },
        record,
      });
      const answers = await erased.catch((error: unknown) => {
        if (fault === 'killed after the intent') return dead();
        throw error;
      });
      const taskNos = ordered
        .filter(({ counts }) => totalOf(counts) > 0)
        .map(({ taskNo }) => taskNo);
      spans.push({ from, to: await scene.look(), taskNos });
      if (fault === 'killed after erasing') return dead();
      if (isFirst) await scene.change(afterwards);
      isFirst = false;
      return answers;
    };

    const verify: Connector['verify'] = async (orders) => {
      const verdicts = await own.verify(orders);
      return fault === 'killed after verifying' ? dead() : verdicts;
    };

    const connector: Connector = {
      ...own,
      erase,
      verify,
      ...(fault === 'down' && { preview: down, resolve: down }),
    };
    const connectorOf = async (target: TargetConfig) => {
      if (target.name === name) return connector;
      const other = connectors.get(target.name);
      if (fault === 'others down' || other === undefined) return down();
      return other;
    };
    const run = fulfilment.createRun({ ...store, recordTransaction }, connectorOf, configs);
    const tasks = tasksOf(batch);
    const given = scene.given.map((one) => [...one]);
    await Promise.race([run(batch, config), death]);
    scene.runs.push({
      target: name.split('-')[0] ?? name,
      phase: batch.phase,
      fault,
      tasks,
      given,
      before,
      spans,
      after: await scene.look(),
      released: new Set(scene.released),
      tasksBefore,
      tasksAfter: await scene.tasks(),
    });
  };
}
