// A legal hold: nothing of a person or of a request is erased until an operator lifts it or it ends. A person is known
// by keyed digests only, like the people who were erased.
import type { SubjectRequestId } from '@unwrite/protocol';
import type { RequestKey } from '../request/request.ts';
import { type Actor, NotPossible } from '../task/operator-ports.ts';
import type { ControllerId } from '../tenant/controller-id.ts';

export interface LegalHold {
  readonly holdNo: number;
  readonly controllerId: ControllerId;
  /** Null if it is on a person. */
  readonly subjectRequestId: SubjectRequestId | null;
  readonly reason: string;
  readonly placedTime: number;
  readonly placedBy: string;
  /** Null: until it is lifted. */
  readonly untilTime: number | null;
  readonly endedTime: number | null;
  /** Who lifted it; `system` if it ended by its time. */
  readonly endedBy: string | null;
}

export interface NewLegalHold {
  readonly controllerId: ControllerId;
  /** A request, or the digests of a person made with all keys. */
  readonly on: RequestKey | { readonly digests: readonly Uint8Array[] };
  readonly reason: string;
  readonly untilTime: number | null;
}

/** What a hold came too late for. */
export interface ErasedBefore {
  readonly subjectRequestId: SubjectRequestId;
  readonly target: string;
  readonly erasedTime: number;
  /** The target was committing it then; how that ended is not known yet. */
  readonly isCommitting: boolean;
}

export interface PlacedHold {
  readonly hold: LegalHold;
  /** Open requests on which it is. */
  readonly requests: readonly SubjectRequestId[];
  readonly tooLate: readonly ErasedBefore[];
}

export interface LegalHoldFilter {
  readonly controllerId?: ControllerId;
  /** Those in force on this request. */
  readonly on?: RequestKey;
  readonly holdNo?: number;
  readonly isInForce?: boolean;
}

/** Each writes an audit row in the same transaction. */
export interface LegalHoldStore {
  /** Newest first. */
  list(filter: LegalHoldFilter): Promise<LegalHold[]>;
  place(hold: NewLegalHold, by: Actor): Promise<PlacedHold>;
  lift(holdNo: number, reason: string, by: Actor): Promise<LegalHold>;
}

/** What a worker does about holds with an end. */
export interface LegalHoldEnds {
  anyToEnd(now: number): Promise<boolean>;
  /** Returns how many ended. */
  endDue(now: number): Promise<number>;
}

export function requireHoldable({ subjectRequestId }: RequestKey, status: string): void {
  if (status === 'pending' || status === 'in_progress') return;
  throw new NotPossible(
    `request ${subjectRequestId} is ${status}: a legal hold comes too late for it. A hold on the person also stops later requests`,
  );
}

export function requireInForce({ holdNo, endedTime, endedBy }: LegalHold): void {
  if (endedTime === null) return;
  throw new NotPossible(
    `legal hold ${holdNo} has ended at ${new Date(endedTime).toISOString()} by ${endedBy}`,
  );
}

const AFTER = ' When it is over: ';

/** The text of a held task. A task for a person keeps its own text, which counts again after the hold. */
export function wordsOnHold(holdNo: number, own: string | null): string {
  const words = `legal hold ${holdNo} is on this person or request: nothing is erased, by hand or otherwise, until it is lifted or ends`;
  return own === null ? words : `${words}.${AFTER}${ownWords(own)}`;
}

/** The text that a task for a person had before. */
export function ownWords(detail: string): string {
  const at = detail.indexOf(AFTER);
  return at === -1 ? detail : detail.slice(at + AFTER.length);
}

export function requireNotOnHold(holdNo: number | undefined): void {
  if (holdNo === undefined) return;
  throw new NotPossible(
    `legal hold ${holdNo} is on this person or request: nothing is erased until it is lifted ("unwrite legal-hold lift ${holdNo}") or ends`,
  );
}
