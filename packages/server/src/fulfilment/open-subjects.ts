import type { Identity } from '../domain/request/identity.ts';
import { isGiven } from '../domain/request/identity-source.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { Failed, Subject } from '../domain/target/connector.ts';
import type { LeasedBatch, LeasedTask, SealedBytes } from '../domain/task/fulfilment-ports.ts';

export type OpenIdentities = (request: RequestKey, sealed: readonly SealedBytes[]) => Identity[];

/** From here on identities are in clear, in memory only. Equal identities count once. */
export function createOpenIdentities(
  open: (request: RequestKey, sealed: SealedBytes) => Identity[],
): OpenIdentities {
  return (request, sealed) => {
    const all = sealed.flatMap((one) => open(request, one));
    const once = new Map(all.map((identity) => [nameOf(identity), identity]));
    return [...once.values()];
  };
}

/** Equal for equal identities. */
export function nameOf(identity: Identity): string {
  return `${identity.type} ${identity.matchKey()}`;
}

export interface OpenedTask {
  readonly task: LeasedTask;
  readonly subject: Subject;
}

/** A task whose identities cannot be decrypted fails and is left out; the others of the batch continue. */
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

/** Identities that this target looked up and that were not given; undefined if there are none. */
function lookedUpBy(
  target: string,
  task: LeasedTask,
  identities: readonly Identity[],
  openIdentities: OpenIdentities,
): Identity[] | undefined {
  const own = task.identities.filter(({ source }) => source === target);
  if (own.length === 0) return undefined;
  const found = new Set(openIdentities(task, own).map(nameOf));
  const given = new Set(givenOf(task, openIdentities).map(nameOf));
  return identities.filter(
    (identity) => found.has(nameOf(identity)) && !given.has(nameOf(identity)),
  );
}

/** Identities that were submitted or added by an operator. */
export function givenOf(task: LeasedTask, openIdentities: OpenIdentities): Identity[] {
  return openIdentities(
    task,
    task.identities.filter(({ source }) => isGiven(source)),
  );
}

export const CANNOT_OPEN = {
  code: 'cannot_open',
  detail: 'what is sealed for this request cannot be opened; is it the right master key?',
} as const;
