import type { Identity } from '../domain/request/identity.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { Failed, Subject } from '../domain/target/connector.ts';
import type { LeasedBatch, LeasedTask, SealedBytes } from '../domain/task/fulfilment-ports.ts';

export type OpenIdentities = (request: RequestKey, sealed: readonly SealedBytes[]) => Identity[];

/** In clear from here on, in memory alone. One and the same identity counts once. */
export function createOpenIdentities(
  open: (request: RequestKey, sealed: SealedBytes) => Identity[],
): OpenIdentities {
  return (request, sealed) => {
    const all = sealed.flatMap((one) => open(request, one));
    const once = new Map(all.map((identity) => [nameOf(identity), identity]));
    return [...once.values()];
  };
}

/** The same for identities that are one and the same. */
export function nameOf(identity: Identity): string {
  return `${identity.type} ${identity.matchKey()}`;
}

export interface OpenedTask {
  readonly task: LeasedTask;
  readonly subject: Subject;
}

/** A task whose identities do not open is left out and said: it must not stop its neighbours. */
export function openSubjects(
  { tasks, target }: Pick<LeasedBatch, 'tasks' | 'target'>,
  openIdentities: OpenIdentities,
  onFailure: (task: LeasedTask, failure: Omit<Failed, 'outcome'>) => void,
): OpenedTask[] {
  return tasks.flatMap((task) => {
    const { taskNo, controllerId, subjectRequestId } = task;
    try {
      const identities = openIdentities(task, task.identities);
      const subject = { taskNo, controllerId, subjectRequestId, identities };
      const lookedUp = lookedUpBy(target, task, identities, openIdentities);
      return [{ task, subject: lookedUp === undefined ? subject : { ...subject, lookedUp } }];
    } catch {
      onFailure(task, CANNOT_OPEN);
      return [];
    }
  });
}

/** Those that only this target has found; undefined where it has found none. */
function lookedUpBy(
  target: string,
  task: LeasedTask,
  identities: readonly Identity[],
  openIdentities: OpenIdentities,
): Identity[] | undefined {
  const others = task.identities.filter(({ source }) => source !== target);
  if (others.length === task.identities.length) return undefined;
  const known = new Set(openIdentities(task, others).map(nameOf));
  return identities.filter((identity) => !known.has(nameOf(identity)));
}

export const CANNOT_OPEN = {
  code: 'cannot_open',
  detail: 'what is sealed for this request cannot be opened; is it the right master key?',
} as const;
