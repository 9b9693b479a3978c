// Reveals one identity of a request for a reason. Who saw it and why is written to the audit log first.

import { includesRole, type OperatorRole } from '../../domain/operator/role.ts';
import type { Identity } from '../../domain/request/identity.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { NotFound } from '../failures.ts';
import { findRequest } from './find-request.ts';
import type { NamedRequest } from './operate-request.ts';
import { refuseIdentitiesIn } from './refuse-identities.ts';
import { type IdentityAccess, identitiesOf } from './request-identities.ts';

const MAX_TASKS = 1000;

export interface RevealParts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'operator'>;
  readonly identities: IdentityAccess;
}

/** Who looks at a request. */
export interface Reader {
  readonly role: OperatorRole;
  /** False for a script: it is never shown an identity. */
  readonly isPerson: boolean;
}

/** A person at the command line of the server. */
export const AT_THE_MACHINE: Reader = { role: 'operator', isPerson: true };

/** An operator has to know whom a manual task is about as long as it is open; an admin may ask at any time. */
export function mayReveal({ role, isPerson }: Reader, tasks: readonly TaskSummary[]): boolean {
  if (!isPerson) return false;
  return includesRole(role, 'admin') || (includesRole(role, 'operator') && tasks.some(isManual));
}

/** Waits for a person to erase by hand. */
export function isManual({ state, reason }: Pick<TaskSummary, 'state' | 'reason'>): boolean {
  return state === 'held' && reason === 'manual';
}

/** `number`: position in the list of the request, starting at 1. */
export async function revealIdentity(
  parts: RevealParts,
  { id, controller }: NamedRequest,
  { number, reason, reader }: { readonly number: number; readonly reason: string; reader: Reader },
  by: Actor,
): Promise<Identity> {
  const { store } = parts;
  const request = await findRequest(store, id, controller);
  const { controllerId, subjectRequestId } = request;
  const tasks = await store.tasks.tasks({ controllerId, subjectRequestId, limit: MAX_TASKS });
  if (!mayReveal(reader, tasks)) {
    throw new NotPossible(
      reader.isPerson
        ? `request ${subjectRequestId} has no open manual task; at other times only an admin sees its identities`
        : 'identities are revealed to people who have signed in, not to scripts',
    );
  }
  const identity = (await identitiesOf(parts, request))[number - 1];
  if (identity === undefined) {
    throw new NotFound(
      `request ${subjectRequestId} has no identity ${number}; they are deleted some time after its end`,
    );
  }
  await refuseIdentitiesIn({ reason }, parts, request);
  await store.operator.recordReveal(request, { identity: number, reason }, by);
  return identity;
}
