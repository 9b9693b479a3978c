// The sweep: due requests get their tasks, hundreds at a time, oldest first.
import type { Clock } from '../../domain/clock.ts';
import type { Identity } from '../../domain/request/identity.ts';
import type {
  DueRequest,
  FulfilmentStore,
  StartCommand,
} from '../../domain/task/fulfilment-ports.ts';
import type { DigestAcross } from '../batch/ask-others.ts';
import type { OpenIdentities } from '../open-subjects.ts';
import { createFairShare } from './fair-share.ts';
import type { createPlanRequest } from './plan-request.ts';

const MAX_AT_ONCE = 500;
/** In one transaction: creates of all controllers wait for it, where the store has one writer. */
const MAX_IDENTITIES = 2500;
/** Skipping a hundred thousand requests that wait for the next day takes a tenth of a second: done rarely. */
const LOOK_PAST_MS = 10_000;
/** No request was received before this time, so only those that an operator asked for are due. */
const NOTHING_BUT_ASKED_FOR = 0;

export interface StartDueParts {
  readonly store: FulfilmentStore;
  readonly plan: ReturnType<typeof createPlanRequest>;
  readonly openIdentities: OpenIdentities;
  readonly digest: (controllerId: DueRequest['controllerId'], identity: Identity) => Uint8Array;
  readonly digestAcross: DigestAcross;
  readonly clock: Clock;
  readonly cancellationWindowMs: number;
  /** Limit for each controller; null means no limit. */
  readonly maxStartsPerDay: number | null;
}

export interface Sweep {
  readonly started: number;
  /** Whether more requests may be due. */
  readonly more: boolean;
}

export function createStartDue(parts: StartDueParts): () => Promise<Sweep> {
  const { store, plan, openIdentities, digest, digestAcross, clock } = parts;
  const { cancellationWindowMs, maxStartsPerDay } = parts;
  const fairShare = createFairShare(store.dueRequests, MAX_AT_ONCE);
  let lookedPast = Number.NEGATIVE_INFINITY;

  function commandFor(request: DueRequest): StartCommand {
    return {
      request,
      ...plan(request.controllerId, request.identities.length > 0),
      ...digestsOf(request),
    };
  }

  /** Identities that cannot be decrypted must not stop the other requests here: their tasks will fail visibly. */
  function digestsOf(request: DueRequest): Pick<StartCommand, 'digests' | 'otherDigests'> {
    const { controllerId } = request;
    try {
      const all = openIdentities(request, request.identities);
      const otherDigests = all.flatMap((identity) => digestAcross(controllerId, identity));
      return { digests: all.map((identity) => digest(controllerId, identity)), otherDigests };
    } catch {
      return { digests: [] };
    }
  }

  /** Decrypts the identities of each part only when the one before is written. */
  function* inParts(due: readonly DueRequest[]): Generator<StartCommand[]> {
    let part: StartCommand[] = [];
    let identities = 0;
    for (const command of due.values().map(commandFor)) {
      const { length } = command.digests;
      if (part.length > 0 && identities + length > MAX_IDENTITIES) {
        yield part;
        part = [];
        identities = 0;
      }
      part.push(command);
      identities += length;
    }
    yield part;
  }

  return async () => {
    const now = clock();
    const leaveOut =
      maxStartsPerDay === null ? [] : await store.controllersAtDailyLimit(maxStartsPerDay, now);
    const rests = leaveOut.length > 0 && Math.abs(now - lookedPast) < LOOK_PAST_MS;
    const before = rests ? NOTHING_BUT_ASKED_FOR : now - cancellationWindowMs;
    const oldest = await store.dueRequests(before, MAX_AT_ONCE, leaveOut);
    const more = oldest.length === MAX_AT_ONCE;
    const due = more ? await fairShare(oldest, before, leaveOut, now) : oldest;
    if (leaveOut.length > 0 && !rests && !more) lookedPast = now;
    if (due.length === 0) return { started: 0, more: false };
    let started = 0;
    for (const commands of inParts(due)) {
      const receivedBefore = now - cancellationWindowMs;
      started += await store.startRequests(commands, now, maxStartsPerDay, receivedBefore);
    }
    return { started, more };
  };
}
