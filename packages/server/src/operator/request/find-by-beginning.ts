// Finds requests by the beginning of their ids, as lists show it.
import { isSubjectRequestId } from '@unwrite/protocol';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { RequestCatalogue } from '../../domain/request/request-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { InvalidInput } from '../failures.ts';

const MIN_LENGTH = 8;
/** Limit, because controllers choose their ids and any number of them may begin alike. */
const MAX_FOUND = 200;

const SOME_ID = '00000000-0000-4000-8000-000000000000';
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export async function findByBeginning(
  catalogue: Pick<RequestCatalogue, 'findWithin'>,
  given: string,
  controllerId: ControllerId | undefined,
): Promise<RequestSummary[]> {
  const beginning = given.toLowerCase();
  const continued = (id: string) => `${beginning}${id.slice(beginning.length)}`;
  if (beginning.length < MIN_LENGTH || !isSubjectRequestId(continued(SOME_ID))) {
    throw new InvalidInput(
      'id',
      `must be a subject_request_id (a UUID version 4), or its first ${MIN_LENGTH} characters or more`,
    );
  }
  const span = { from: continued(LOWEST), to: continued(HIGHEST) };
  const found = await catalogue.findWithin(span, MAX_FOUND + 1, controllerId);
  if (found.length <= MAX_FOUND) return found;
  throw new InvalidInput('id', `begins more than ${MAX_FOUND} ids: give more of it`);
}
