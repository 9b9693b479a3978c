// A controller is told that its request has ended only if the audit log says so, because someone else may
// have changed the status column. The log is read once for each request and node; requests that have not
// ended cost nothing.
import { createBoundedMap } from '../domain/bounded-map.ts';
import { isFinal, type ReadLoggedStatus } from '../domain/request/logged-status.ts';
import type { RequestKey, RequestState } from '../domain/request/request.ts';
import type { ServingStore } from '../domain/store/store.ts';

const MAX_REMEMBERED = 50_000;

/** A final status never changes, so a proven one can be cached. */
export function withProvenStatus(
  requests: ServingStore,
  readLogged: ReadLoggedStatus,
): ServingStore {
  const proven = createBoundedMap<string, true>(MAX_REMEMBERED);

  async function prove(key: RequestKey, state: RequestState): Promise<RequestState> {
    const { subjectRequestId, status, receivedTime } = state;
    const name = `${key.controllerId} ${subjectRequestId} ${receivedTime} ${status}`;
    if (proven.get(name)) return state;
    const logged = await readLogged(key, state);
    if (logged !== undefined && logged !== status) return { ...state, status: logged };
    proven.set(name, true);
    return state;
  }

  return {
    ...requests,
    async read(key) {
      const state = await requests.read(key);
      return state === undefined || !isFinal(state.status) ? state : prove(key, state);
    },
  };
}
