// Finds the requests of one controller or of all that named an identity, by keyed digests. Each search writes an
// audit row.
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { findController } from '../controller/find-controller.ts';
import { InvalidInput } from '../failures.ts';
import type { IdentityAccess } from './request-identities.ts';

/** No person is named by more requests than this. */
const MAX_FOUND = 200;
/** Limit, because each controller has its own digests. */
const MAX_CONTROLLERS = 100;

export interface SearchParts {
  readonly store: Pick<Store, 'forgetting' | 'tenants' | 'catalogue'>;
  readonly identities: IdentityAccess;
}

/** Newest first. Requests that have not started are not found: their digests are written at the start. */
export async function searchByIdentity(
  { store, identities }: SearchParts,
  controller: string | undefined,
  person: readonly Identity[],
  by: Actor,
): Promise<{ readonly items: readonly RequestSummary[]; readonly capped: boolean }> {
  const controllers =
    controller === undefined
      ? await store.tenants.controllers()
      : [await findController(store.tenants, controller)];
  if (controllers.length > MAX_CONTROLLERS) {
    throw new InvalidInput('controller', 'must be given: there are too many to search all of them');
  }
  const ids = controllers.map(({ controllerId }) => controllerId);
  const digestsOf = await identities.digestPerson();
  const lookups = ids.map((controllerId) => ({
    controllerId,
    digests: digestsOf(controllerId, person),
  }));
  const found: RequestSummary[] = [];
  for (const { subjectRequestId, controllerId } of await store.forgetting.named(lookups, by)) {
    found.push(...(await store.catalogue.find(subjectRequestId, controllerId)));
  }
  const items = found.sort((a, b) => b.receivedTime - a.receivedTime);
  return { items: items.slice(0, MAX_FOUND), capped: items.length > MAX_FOUND };
}
