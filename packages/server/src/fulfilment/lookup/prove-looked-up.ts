// A looked-up identity counts only while it is proven: the lookup gives it now, from what was submitted or added by an
// operator. Targets that erase the rows which give it run last. Why: docs/adr/0031-looked-up-identities.md.
import type { Identity } from '../../domain/request/identity.ts';
import { isGiven } from '../../domain/request/identity-source.ts';
import { givenOf, nameOf, type OpenedTask, type OpenIdentities } from '../open-subjects.ts';
import { createAskSource, type OwnTarget, type SourceParts } from './ask-source.ts';
import { type GuardParts, isErasedBy } from './guard-lookups.ts';
import { openOf, type ProvedTask, proofOf, type TaskProof } from './proved-task.ts';

export interface LookupParts extends SourceParts {
  readonly openIdentities: OpenIdentities;
}

export function createProveLookedUp(parts: LookupParts & GuardParts) {
  const { targetNamed, openIdentities, allTargets } = parts;
  const ask = createAskSource(parts);

  /** Lookups that found something, the target's own, and those whose rows it erases: none may give anything else. */
  function lookupsFor(
    { target }: OwnTarget,
    { task: { controllerId } }: OpenedTask,
    found: Iterable<string>,
  ): Set<string> {
    const erased = allTargets().filter(
      (source) =>
        isErasedBy(source, target) && source.controllers?.includes(controllerId) !== false,
    );
    return new Set([...found, target.name, ...erased.map(({ name }) => name)]);
  }

  /** Asks every lookup once, with the identities proven so far. */
  async function lookUp(own: OwnTarget, tasks: readonly ProvedTask[]): Promise<void> {
    for (const source of sourcesOf(tasks)) {
      const asked = tasks.filter((task) => isOpen(task) && task.lookups.has(source));
      const subjects = asked.map(({ opened: { subject }, proven }) => {
        const { taskNo, controllerId, subjectRequestId } = subject;
        return { taskNo, controllerId, subjectRequestId, identities: [...proven.values()] };
      });
      if (subjects.length === 0) continue;
      const asking = await ask(own, source, (connector) => connector.resolve?.(subjects));
      asked.forEach((task, place) => {
        const answer = asking.outcome === 'failed' ? asking : asking.answers[place];
        if (answer?.outcome === 'failed') task.stopped = answer;
        if (answer?.outcome !== 'resolved') return;
        const now = new Set(answer.identities.map(nameOf));
        prove(
          task,
          source,
          openOf(task).filter((identity) => now.has(nameOf(identity))),
        );
      });
    }
  }

  /** Keyed by task number; tasks without looked-up identities are left out. */
  return async (own: OwnTarget, opened: readonly OpenedTask[]): Promise<Map<number, TaskProof>> => {
    const tasks = opened.flatMap((one) => {
      const bySource = lookedUpOf(one, openIdentities);
      if (bySource.size === 0) return [];
      const given = givenOf(one.task, openIdentities);
      const proven = new Map(given.map((identity) => [nameOf(identity), identity]));
      const lookups = lookupsFor(own, one, bySource.keys());
      const task: ProvedTask = { opened: one, bySource, lookups, proven, relied: [] };
      return [task];
    });
    const countProven = () => tasks.reduce((sum, { proven }) => sum + proven.size, 0);
    // One lookup may need what another gives: repeated until nothing more is proven.
    for (let before = -1; before < countProven() && tasks.some(isOpen); ) {
      before = countProven();
      await lookUp(own, tasks);
    }
    return new Map(
      tasks.map((task) => [task.opened.task.taskNo, proofOf(task, own.target, targetNamed)]),
    );
  };
}

const isOpen = (task: ProvedTask) => task.stopped === undefined && openOf(task).length > 0;

function prove(
  { proven, relied }: ProvedTask,
  source: string,
  identities: readonly Identity[],
): void {
  for (const identity of identities) {
    const name = nameOf(identity);
    if (!proven.has(name)) relied.push({ source, name });
    proven.set(name, identity);
  }
}

function sourcesOf(tasks: readonly ProvedTask[]): Set<string> {
  return new Set(tasks.flatMap(({ lookups }) => [...lookups]));
}

function lookedUpOf(
  { task }: OpenedTask,
  openIdentities: OpenIdentities,
): Map<string, readonly Identity[]> {
  const sets = task.identities.filter(({ source }) => !isGiven(source));
  const bySource = Map.groupBy(sets, ({ source = '' }) => source);
  return new Map([...bySource].map(([source, own]) => [source, openIdentities(task, own)]));
}
