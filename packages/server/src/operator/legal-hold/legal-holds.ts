// Legal holds: place one on a person or a request, list them, lift one.
import type {
  LegalHold,
  LegalHoldStore,
  NewLegalHold,
  PlacedHold,
} from '../../domain/legal-hold/legal-hold.ts';
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { objectFromJson } from '../../domain/stored-json.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { controllerOf, findController } from '../controller/find-controller.ts';
import { InvalidInput, NotFound } from '../failures.ts';
import { isoTime } from '../iso-time.ts';
import { findRequest } from '../request/find-request.ts';
import { refuseIdentitiesIn, refuseNamesIn } from '../request/refuse-identities.ts';
import type { IdentityAccess } from '../request/request-identities.ts';
import { isJustDone, newestRow } from '../what-happened.ts';

interface Parts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'legalHolds'>;
  readonly identities: IdentityAccess;
}

export interface AskedHold {
  /** Needed for a person. */
  readonly controller?: string | undefined;
  readonly request?: string | undefined;
  readonly person?: readonly Identity[] | undefined;
  readonly reason: string;
  /** When it ends by itself; left out: until it is lifted. */
  readonly until?: number | undefined;
}

export async function placeHold(parts: Parts, asked: AskedHold, by: Actor): Promise<PlacedHold> {
  const { until, reason } = asked;
  if (until !== undefined && until <= by.now) {
    throw new InvalidInput('until', 'must be a time to come');
  }
  const on = await whatToHold(parts, asked);
  return parts.store.legalHolds.place({ ...on, reason, untilTime: until ?? null }, by);
}

async function whatToHold(
  parts: Parts,
  { controller, request: id, person, reason }: AskedHold,
): Promise<Pick<NewLegalHold, 'controllerId' | 'on'>> {
  const { store, identities } = parts;
  if (id !== undefined && person === undefined) {
    const { controllerId, subjectRequestId } = await findRequest(store, id, controller);
    const on: RequestKey = { controllerId, subjectRequestId };
    await refuseIdentitiesIn({ reason }, parts, on);
    return { controllerId, on };
  }
  if (id !== undefined || person === undefined) {
    throw new InvalidInput('request', 'or a person must be given, not both');
  }
  if (controller === undefined) {
    throw new InvalidInput('controller', 'must be given: whose person it is');
  }
  const { controllerId } = await findController(store.tenants, controller);
  refuseNamesIn({ reason }, person);
  const digestsOf = await identities.digestPerson();
  return { controllerId, on: { digests: digestsOf(controllerId, person) } };
}

export async function liftHold(
  parts: Parts,
  holdNo: number,
  reason: string,
  by: Actor,
): Promise<LegalHold> {
  const [hold] = await parts.store.legalHolds.list({ holdNo });
  if (hold === undefined) throw new NotFound(`there is no legal hold ${holdNo}`);
  if (hold.subjectRequestId === null) refuseNamesIn({ reason }, []);
  else {
    const { controllerId, subjectRequestId } = hold;
    await refuseIdentitiesIn({ reason }, parts, { controllerId, subjectRequestId });
  }
  return parts.store.legalHolds.lift(holdNo, reason, by);
}

/** The answer to a call that is repeated may have been lost. */
export async function liftOnce(
  parts: Parts & { readonly store: Pick<Store, 'auditLog'> },
  holdNo: number,
  reason: string,
  by: Actor,
): Promise<LegalHold> {
  try {
    return await liftHold(parts, holdNo, reason, by);
  } catch (error) {
    const [hold] = await parts.store.legalHolds.list({ holdNo });
    if (!(error instanceof NotPossible) || hold === undefined) throw error;
    const row = await newestRow(parts.store, 'legal_hold.lifted', hold.controllerId);
    const detail = row && objectFromJson(row.detail ?? '');
    if (!isJustDone(row, by) || detail?.hold !== holdNo || detail.reason !== reason) throw error;
    return hold;
  }
}

export async function listHolds(
  store: Pick<Store, 'tenants' | 'legalHolds'>,
  controller: string | undefined,
  /** Also those that have ended. */
  all: boolean,
): Promise<LegalHold[]> {
  const controllerId = await controllerOf(controller, store.tenants);
  return store.legalHolds.list({
    ...(controllerId !== undefined && { controllerId }),
    ...(!all && { isInForce: true }),
  });
}

export async function holdsOn(
  { legalHolds }: { readonly legalHolds: Pick<LegalHoldStore, 'list'> },
  { controllerId, subjectRequestId }: RequestKey,
) {
  const on = { controllerId, subjectRequestId };
  return (await legalHolds.list({ on, isInForce: true })).map(legalHoldShape);
}

export function legalHoldShape(hold: LegalHold) {
  return {
    hold: hold.holdNo,
    controller_id: hold.controllerId,
    /** Null: it is on a person, of whom only keyed digests are stored. */
    subject_request_id: hold.subjectRequestId,
    reason: hold.reason,
    placed_time: isoTime(hold.placedTime),
    placed_by: hold.placedBy,
    until: isoTime(hold.untilTime),
    ended_time: isoTime(hold.endedTime),
    ended_by: hold.endedBy,
  };
}

export function placedShape({ hold, requests, tooLate }: PlacedHold) {
  return {
    ...legalHoldShape(hold),
    requests,
    too_late: tooLate.map(({ subjectRequestId, target, erasedTime, isCommitting }) => ({
      subject_request_id: subjectRequestId,
      target,
      erased_time: isoTime(erasedTime),
      is_committing: isCommitting,
    })),
  };
}
