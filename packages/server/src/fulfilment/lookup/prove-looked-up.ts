// A looked-up identity counts only while it is proven: the lookup gives it now, from what was submitted or added by an
// operator; or the rows that gave it were erased for the same request. Why: docs/adr/0031-looked-up-identities.md.
import type { Identity } from '../../domain/request/identity.ts';
import type { Failed, Subject } from '../../domain/target/connector.ts';
import { isAnothersNow } from '../../domain/target/lookup-words.ts';
import type { FulfilmentStore, Vouched } from '../../domain/task/fulfilment-ports.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import { isGiven, nameOf, type OpenedTask, type OpenIdentities } from '../open-subjects.ts';
import { createAskSource, type OwnTarget, type SourceParts } from './ask-source.ts';
import { openOf, type ProvedTask, proofOf, type TaskProof } from './proved-task.ts';
import { isUsedAgain, keyOf, lookupOf, vouchedByOthers } from './vouched.ts';

export interface LookupParts extends SourceParts {
  readonly store: Pick<FulfilmentStore, 'otherErasures'>;
  readonly openIdentities: OpenIdentities;
  readonly keysVault: KeysVaultPort;
}

export function createProveLookedUp(parts: LookupParts) {
  const { store, targetNamed, openIdentities, keysVault } = parts;
  const ask = createAskSource(parts);

  /** Asks every lookup once, by what is proven so far. */
  async function lookUp(own: OwnTarget, tasks: readonly ProvedTask[]): Promise<void> {
    for (const source of sourcesOf(tasks)) {
      const asked = tasks.filter((task) => isOpen(task) && task.bySource.has(source));
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
          openOf(task).filter((identity) => now.has(nameOf(identity))),
        );
      });
    }
  }

  /** After the lookups: rows that are not found any more may have been erased for the request. */
  async function trustVouched(own: OwnTarget, tasks: readonly ProvedTask[]): Promise<void> {
    const open = tasks.filter(isOpen);
    const others = await store.otherErasures(open.map(({ opened }) => opened.task.taskNo));
    const byTask = Map.groupBy(others, ({ taskNo }) => taskNo);
    const vouching = open.map((task) => {
      const theirs = byTask.get(task.opened.task.taskNo) ?? [];
      const said = vouchedByOthers(keysVault, task.opened, theirs);
      const isOpenHere = ({ source, name }: Vouched) => namesOf(openOf(task, source)).has(name);
      if (said.pending.some(isOpenHere)) task.stopped = STILL_ERASING;
      return { task, said };
    });
    for (const source of sourcesOf(open)) {
      const target = source === own.target.name ? own.target : targetNamed(source);
      if (target === undefined || !('resolve' in target) || target.resolve === null) continue;
      const { resolve } = target;
      const asked = vouching.flatMap(({ task, said }) =>
        openOf(task, source).flatMap((identity) => {
          const vouched = said.vouched.get(keyOf({ source, name: nameOf(identity) }));
          const isSame = vouched?.lookup === lookupOf(target);
          return isOpen(task) && vouched && isSame ? [{ task, vouched, identity }] : [];
        }),
      );
      if (asked.length === 0) continue;
      const subjects = asked.map(({ task, identity }) => aloneIn(task.opened.subject, identity));
      const rows = await ask(own, source, (connector) => connector.rowsWith?.(subjects));
      asked.forEach(({ task, vouched, identity }, place) => {
        if (rows.outcome === 'failed') task.stopped = rows;
        else if (rows.answers[place] === undefined) return;
        else if (isUsedAgain(rows.answers[place], vouched)) task.stopped = isAnothersNow(resolve);
        else {
          task.trusted.set(nameOf(identity), vouched.settled?.lastTaskNo ?? 0);
          prove(task, [identity]);
        }
      });
    }
  }

  /** By the number of the task; those without looked-up identities are left out. */
  return async (
    own: OwnTarget,
    opened: readonly OpenedTask[],
    { isTrusting = true }: { readonly isTrusting?: boolean } = {},
  ): Promise<Map<number, TaskProof>> => {
    const tasks = opened.flatMap((one) => {
      const bySource = lookedUpOf(one, openIdentities);
      const given = openIdentities(
        one.task,
        one.task.identities.filter(({ source }) => isGiven(source)),
      );
      const proven = new Map(given.map((identity) => [nameOf(identity), identity]));
      const task: ProvedTask = { opened: one, bySource, proven, trusted: new Map() };
      return bySource.size === 0 ? [] : [task];
    });
    const countProven = () => tasks.reduce((sum, { proven }) => sum + proven.size, 0);
    // What one lookup gives may be what another one needs: until nothing more is proven.
    for (let before = -1; before < countProven() && tasks.some(isOpen); ) {
      before = countProven();
      await lookUp(own, tasks);
      if (isTrusting && tasks.some(isOpen) && countProven() === before)
        await trustVouched(own, tasks);
    }
    return new Map(
      tasks.map((task) => [task.opened.task.taskNo, proofOf(task, own.target, targetNamed)]),
    );
  };
}

/** To be asked for one of its identities alone. */
export function aloneIn(subject: Subject, identity: Identity): Subject {
  return { ...subject, lookedUp: [identity] };
}

const namesOf = (identities: readonly Identity[]) => new Set(identities.map(nameOf));

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
