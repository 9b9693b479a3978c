// What the steps of a case share: its databases, targets and requests.
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import type { TaskSummary } from '../../../src/domain/task/task.ts';
import type { CaseDatabase } from '../databases.ts';
import type { Snapshot } from '../declared-world.ts';
import type { Change, GivenIdentity, Row } from '../generated-case.ts';
import type { Fulfilment } from '../open-fulfilment.ts';
import { applyChanges, lookAtAll } from '../staff.ts';
import type { RunRecord } from './run-record.ts';
import type { SeveralCase } from './several-case.ts';

export interface Stage {
  readonly configs: readonly TargetConfig[];
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly databases: readonly CaseDatabase[];
  readonly fulfilment: Fulfilment;
}

/** What is the same for all steps of a case. */
export interface Scene extends Stage {
  look(): Promise<Snapshot>;
  change(changes: readonly Change[]): Promise<void>;
  /** By request; empty for one that was not received yet. */
  tasks(): Promise<TaskSummary[][]>;
  readonly requests: (NewRequest | undefined)[];
  /** Submitted, or added by an operator. */
  readonly given: GivenIdentity[][];
  /** Tasks that a person has released. */
  readonly released: Set<number>;
  readonly runs: RunRecord[];
}

export function createScene({ tables, requests }: SeveralCase, stage: Stage): Scene {
  const { databases, fulfilment } = stage;
  const received: (NewRequest | undefined)[] = requests.map(() => undefined);
  const placed = databases
    .map((database, place) => ({ database, own: tables.filter((one) => one.place === place) }))
    .filter(({ own }) => own.length > 0);
  return {
    ...stage,
    requests: received,
    given: requests.map(({ identities }) => [...identities]),
    released: new Set(),
    runs: [],
    async look() {
      const all = new Map<string, ReadonlyMap<string, Row>>();
      for (const { database, own } of placed)
        for (const [table, rows] of await lookAtAll(database, own)) all.set(table, rows);
      return all;
    },
    async change(changes) {
      for (const change of changes)
        for (const { database, own } of placed)
          if (own.some(({ name }) => name === change.table))
            await applyChanges(database, [...own], [change]);
    },
    async tasks() {
      return await Promise.all(
        received.map(async (one) => (one === undefined ? [] : fulfilment.scene.tasksOf(one))),
      );
    },
  };
}
