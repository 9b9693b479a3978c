// Finds out whether people were erased, when, and by which requests: by keyed digests, because no identities
// are kept for it.
import type { Seen } from '../../domain/request/forgetting-ports.ts';
import type { Identity } from '../../domain/request/identity.ts';
import { outcomeOfPerson } from '../../domain/request/outcome.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { findController } from '../controller/find-controller.ts';
import { isoTime } from '../iso-time.ts';
import type { IdentityAccess } from './request-identities.ts';

export interface FindErasedParts {
  readonly store: Pick<Store, 'forgetting' | 'tenants'>;
  readonly identities: IdentityAccess;
}

export async function findErased(
  { store, identities }: FindErasedParts,
  controller: string,
  people: readonly (readonly Identity[])[],
  by: Actor,
): Promise<Seen[][]> {
  const { controllerId } = await findController(store.tenants, controller);
  const digestsOf = await identities.digestPerson();
  const digests = people.map((person) => digestsOf(controllerId, person));
  return store.forgetting.seen(controllerId, digests, by);
}

export function erasedShape(found: readonly Seen[]) {
  const outcome = outcomeOfPerson(found.map((it) => it.outcome)) ?? null;
  return {
    /** Whether everything that these requests asked for was erased; `outcome` has the cases in between. */
    erased: outcome === 'erased',
    outcome,
    requests: found.map((it) => ({
      subject_request_id: it.subjectRequestId,
      request_status: it.status,
      received_time: isoTime(it.receivedTime),
      completed_time: isoTime(it.completedTime),
      outcome: it.outcome,
    })),
  };
}
