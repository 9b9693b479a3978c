// A looked-up identity counts only while it is proven: the lookup gives it now, from what was submitted or added by an
// operator; or the rows that gave it were erased for the same request. Why: docs/adr/0031-looked-up-identities.md.
import type { Identity } from '../../domain/request/identity.ts';
import { type Connector, type Failed, TargetDown } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { isGiven, nameOf, type OpenedTask, type OpenIdentities } from '../open-subjects.ts';
import { erasedProof } from './erased-proof.ts';
import { openOf, type ProvedTask, proofOf, type TaskProof } from './proved-task.ts';

export interface LookupParts {
  readonly store: Pick<FulfilmentStore, 'otherErasures'>;
  /** Undefined: it is not in the configuration any more. */
  readonly targetNamed: (name: string) => TargetConfig | undefined;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  readonly release: (connector: Connector) => void;
  readonly openIdentities: OpenIdentities;
}

/** The target that erases, and the connector to it. */
export interface OwnTarget {
  readonly target: TargetConfig;
  readonly connector: Connector;
}

export function createProveLookedUp(parts: LookupParts) {
  const { store, targetNamed, connectorOf, release, openIdentities } = parts;

  /** Undefined where the target cannot be asked any more. */
  async function ask<T>(
    own: OwnTarget,
    source: string,
    tasks: readonly ProvedTask[],
    question: (connector: Connector) => Promise<readonly T[]> | undefined,
  ): Promise<readonly (T | Failed)[]> {
    const target = source === own.target.name ? own.target : targetNamed(source);
    if (target === undefined) return [];
    if (target.name === own.target.name) return (await question(own.connector)) ?? [];
    let connector: Connector | undefined;
    try {
      connector = await connectorOf(target);
      return (await question(connector)) ?? [];
    } catch (error) {
      if (!(error instanceof TargetDown)) throw error;
      const { code, message } = error;
      const detail = `${source} has looked up identities of this request and cannot be asked whether they are still the person's: ${message}`;
      return tasks.map(() => ({ outcome: 'failed', code, detail }));
    } finally {
      if (connector !== undefined) release(connector);
    }
  }

  /** Asks every lookup once, by what is proven so far. */
  async function lookUp(own: OwnTarget, tasks: readonly ProvedTask[]): Promise<void> {
    for (const source of sourcesOf(tasks)) {
      const asked = tasks.filter((task) => isOpen(task) && task.bySource.has(source));
      const subjects = asked.map(({ opened: { subject }, proven }) => {
        const { taskNo, controllerId, subjectRequestId } = subject;
        return { taskNo, controllerId, subjectRequestId, identities: [...proven.values()] };
      });
      if (subjects.length === 0) continue;
      const answers = await ask(own, source, asked, (connector) => connector.resolve?.(subjects));
      asked.forEach((task, place) => {
        const answer = answers[place];
        if (answer?.outcome === 'failed') task.stopped = answer;
        if (answer?.outcome !== 'resolved') return;
        const now = new Set(answer.identities.map(nameOf));
        prove(
          task,
          openOf(task).filter((identity) => now.has(nameOf(identity))),
        );
      });
    }
  }

  /** After the lookups: rows that are not found any more may have been erased for the request. */
  async function trustErased(own: OwnTarget, tasks: readonly ProvedTask[]): Promise<void> {
    const open = tasks.filter((task) => isOpen(task) && !task.hasErased);
    const others = await store.otherErasures(open.map(({ opened }) => opened.task.taskNo));
    const erasures = Map.groupBy(others, ({ taskNo }) => taskNo);
    for (const source of sourcesOf(open)) {
      const target = source === own.target.name ? own.target : targetNamed(source);
      if (target === undefined) continue;
      const proofIn = ({ opened: { task } }: ProvedTask) =>
        erasedProof(target, erasures.get(task.taskNo) ?? [], (name) =>
          name === own.target.name ? own.target : targetNamed(name),
        );
      const theirs = open.filter((task) => isOpen(task) && openOf(task, source).length > 0);
      for (const task of theirs) if (proofIn(task) === 'erasing') task.stopped = STILL_ERASING;
      const erased = theirs.filter((task) => proofIn(task) === 'erased');
      const subjects = erased.map((task) => ({
        ...task.opened.subject,
        lookedUp: openOf(task, source),
      }));
      if (subjects.length === 0) continue;
      const doubts = await ask(own, source, erased, (connector) => connector.doubt?.(subjects));
      erased.forEach((task, place) => {
        const doubt = doubts[place];
        if (doubt !== undefined) task.stopped = doubt;
        else if (place < doubts.length) {
          for (const identity of openOf(task, source)) task.trusted.add(nameOf(identity));
          prove(task, openOf(task, source));
        }
      });
    }
  }

  /** By the number of the task; those without looked-up identities are left out. `hasErased`: see ProvedTask. */
  return async (
    own: OwnTarget,
    opened: readonly OpenedTask[],
    hasErased: (place: number) => boolean,
  ): Promise<Map<number, TaskProof>> => {
    const tasks = opened.flatMap((one, place) => {
      const bySource = lookedUpOf(one, openIdentities);
      const given = openIdentities(
        one.task,
        one.task.identities.filter(({ source }) => isGiven(source)),
      );
      const proven = new Map(given.map((identity) => [nameOf(identity), identity]));
      const begun = hasErased(place);
      const task = { opened: one, bySource, proven, trusted: new Set<string>(), hasErased: begun };
      return bySource.size === 0 ? [] : [task as ProvedTask];
    });
    const countProven = () => tasks.reduce((sum, { proven }) => sum + proven.size, 0);
    // What one lookup gives may be what another one needs: until nothing more is proven.
    for (let before = -1; before < countProven() && tasks.some(isOpen); ) {
      before = countProven();
      await lookUp(own, tasks);
      if (tasks.some(isOpen) && countProven() === before) await trustErased(own, tasks);
    }
    return new Map(
      tasks.map((task) => [task.opened.task.taskNo, proofOf(task, own.target, targetNamed)]),
    );
  };
}

const isOpen = (task: ProvedTask) => task.stopped === undefined && openOf(task).length > 0;

function prove({ proven }: ProvedTask, identities: readonly Identity[]): void {
  for (const identity of identities) proven.set(nameOf(identity), identity);
}

function sourcesOf(tasks: readonly ProvedTask[]): Set<string> {
  return new Set(tasks.flatMap(({ bySource }) => [...bySource.keys()]));
}

function lookedUpOf(
  { task }: OpenedTask,
  openIdentities: OpenIdentities,
): Map<string, readonly Identity[]> {
  const sets = task.identities.filter(({ source }) => !isGiven(source));
  const bySource = Map.groupBy(sets, ({ source = '' }) => source);
  return new Map([...bySource].map(([source, own]) => [source, openIdentities(task, own)]));
}

const STILL_ERASING: Failed = {
  outcome: 'failed',
  code: 'lookup_pending',
  detail:
    'another target of this request has begun to erase the rows by which an identity was looked up, and has not said how that ended; it is retried',
};
