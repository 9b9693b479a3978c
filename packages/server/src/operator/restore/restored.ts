// After a backup of the store was restored: lists what is known about the time since the backup, and confirms.
import { type Finding, type Happened, isBehind, type Restore } from '../../domain/store/restore.ts';
import type { ReviewedRequest } from '../../domain/store/restore-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { objectFromJson } from '../../domain/stored-json.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { etagOf } from '../etag.ts';
import { isoTime } from '../iso-time.ts';
import { isJustDone, newestRow } from '../what-happened.ts';

type Stores = Pick<Store, 'restores' | 'catalogue'>;

export interface GivenFile {
  readonly name: string;
  readonly happened: readonly Happened[];
}

export interface Review {
  /** Undefined if the store lacks nothing that is known. */
  readonly restore: Restore | undefined;
  readonly requests: readonly ReviewedRequest[];
}

/** Adds to the list what the files know and the store does not, and returns the list. */
export async function reviewRestore(
  store: Stores,
  files: readonly GivenFile[],
  by: Actor,
): Promise<Review> {
  const { restores } = store;
  const known = await restores.restores();
  const restore = known.find(({ confirmedTime }) => confirmedTime === null);
  if (restore === undefined) return { restore, requests: [] };
  let added = 0;
  for (const file of files) {
    const more = await restores.addFindings(await findingsOf(store, file));
    if (more === undefined) {
      throw new NotPossible(
        `the restore was confirmed meanwhile, without what ${file.name} knows; run "unwrite restored declare", then review it again`,
      );
    }
    added += more;
  }
  const requests = await restores.findings();
  await restores.reviewed({ added, requests }, by);
  return { restore, requests };
}

async function findingsOf(
  { catalogue }: Stores,
  { name, happened }: GivenFile,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const one of happened) {
    const [request] = await catalogue.find(one.subjectRequestId, one.controllerId);
    if (isBehind(one, request?.status)) found.push({ ...one, source: name });
  }
  return found;
}

/** For an operator who knows that a backup was restored although nothing could detect it. */
export async function declareRestore(
  { restores }: Pick<Store, 'restores'>,
  by: Actor,
): Promise<boolean> {
  return restores.declare('an operator declared it', by);
}

/** Changes if the list, or the effect of confirming, changes. */
export function reviewEtag(requests: readonly ReviewedRequest[]): string {
  return etagOf(
    'restore',
    requests
      .filter(({ isOurs }) => isOurs)
      .map((it) => [it.controllerId, it.subjectRequestId, it.what, it.isToCancel]),
  );
}

/** Returns how many requests were cancelled again. `isAsSeen`: whether the operator has seen this list. */
export async function confirmRestore(
  { restores }: Pick<Store, 'restores'>,
  anyway: boolean,
  by: Actor,
  isAsSeen: (requests: readonly ReviewedRequest[]) => boolean = () => true,
): Promise<number> {
  if ((await restores.state()).openNo === null) {
    throw new NotPossible(
      'there is nothing to confirm: the store is not older than the newest known head and cancellation',
    );
  }
  const cancelled = await restores.confirm(anyway, by, (requests) => {
    if (isAsSeen(requests)) return;
    throw new NotPossible('the list has changed since you read it; read it again, then confirm');
  });
  if (cancelled === undefined) {
    if ((await restores.state()).openNo === null)
      throw new NotPossible('another operator has confirmed it in the meantime');
    throw new NotPossible(
      'the list was not reviewed, or has changed since: run "unwrite restored review" first, or give --yes',
    );
  }
  return cancelled;
}

/** How many requests this operator's confirmation a moment ago cancelled again, if no restore is open since. */
export async function confirmedJustNow(
  store: Pick<Store, 'restores' | 'auditLog'>,
  by: Actor,
): Promise<number | undefined> {
  if ((await store.restores.state()).openNo !== null) return undefined;
  const row = await newestRow(store, 'store.restore_confirmed');
  if (!isJustDone(row, by)) return undefined;
  const { cancelled } = objectFromJson(row.detail ?? '') ?? {};
  return typeof cancelled === 'number' ? cancelled : undefined;
}

/** Position in the list: the page begins after this item. */
export type ReviewPlace = readonly [
  time: number,
  what: string,
  controllerId: string,
  subjectRequestId: string,
];

export function reviewShape(
  { restore, requests }: Review,
  { limit = requests.length, after }: { limit?: number; after?: ReviewPlace | undefined } = {},
) {
  const left = requests
    .map((it) => ({ it, place: placeOf(it) }))
    .sort((one, other) => compare(one.place, other.place))
    .filter(({ place }) => after === undefined || compare(place, after) > 0);
  return {
    shape: {
      went_back: restore !== undefined,
      detected_time: isoTime(restore?.detectedTime ?? null),
      detected_by: restore?.detectedBy ?? null,
      reason: restore?.reason ?? null,
      last_head_no: restore?.lastHeadNo ?? null,
      requests: left.slice(0, limit).map(({ it }) => ({
        controller_id: it.controllerId,
        subject_request_id: it.subjectRequestId,
        was: it.what,
        time: isoTime(it.time),
        known_from: it.source,
        authentic: it.isOurs,
        request_status: it.status,
        confirming: confirmingWords(it),
      })),
    },
    /** Null at the end. */
    next: left.length > limit ? (left[limit - 1]?.place ?? null) : null,
  };
}

const placeOf = ({ time, what, controllerId, subjectRequestId }: ReviewedRequest): ReviewPlace => [
  time,
  what,
  controllerId,
  subjectRequestId,
];

/** Gives the same order on both stores, which sort texts differently. */
function compare(one: ReviewPlace, other: ReviewPlace): number {
  for (const [index, value] of one.entries()) {
    const than = other[index] ?? '';
    if (value !== than) return value < than ? -1 : 1;
  }
  return 0;
}

/** What confirming does about the request, and what is left to do. */
function confirmingWords({ what, status, isOurs, isToCancel }: ReviewedRequest): string {
  if (!isOurs) return 'changes nothing: someone else wrote this entry';
  if (isToCancel) return 'cancels it again';
  if (status === null) return 'changes nothing: the store does not have it';
  if (what !== 'cancelled') return 'carries it out once more';
  if (status === 'cancelled') return 'changes nothing: it is cancelled';
  if (status === 'completed')
    return 'changes nothing: it was carried out all the same; tell the controller';
  return 'changes nothing: it was submitted again, or is in progress';
}
