// What erasing a person would do at each target. Changes nothing there, and writes an audit row.
import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Subject } from '../../domain/target/connector.ts';
import type { LookedUp, PreviewFacts, RequestPreview } from '../../domain/target/preview.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { findController } from '../controller/find-controller.ts';
import { findRequest } from './find-request.ts';
import { readPreviewFacts } from './preview-facts.ts';
import { type IdentityAccess, identitiesBySource } from './request-identities.ts';

export interface PreviewParts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'pauses' | 'operator' | 'clock'>;
  readonly identities: IdentityAccess;
  readonly maxStartsPerDay: number | null;
  /** Previews at the targets of the controller. */
  readonly look: (subject: Subject, facts: PreviewFacts) => Promise<RequestPreview>;
}

/** The person of a request, or a person named by identities. */
export type PreviewedPerson =
  | { readonly request: string; readonly controller?: string | undefined }
  | { readonly identities: readonly Identity[]; readonly controller: string };

export interface PersonPreview extends RequestPreview {
  readonly controllerId: string;
  readonly subjectRequestId: string | null;
  /** The daily limit on starts of the controller is reached. */
  readonly startsTomorrow: boolean;
}

export async function previewPerson(
  parts: PreviewParts,
  person: PreviewedPerson,
  by: Actor,
): Promise<PersonPreview> {
  const { store, maxStartsPerDay, look } = parts;
  const { subject, request, lookedUp } = await subjectOf(parts, person);
  const { controllerId } = subject;
  await store.operator.recordPreview(controllerId, request, by);
  const facts = await readPreviewFacts(store, maxStartsPerDay, controllerId, request);
  return {
    ...(await look(subject, { ...facts, ...(lookedUp && { lookedUp }) })),
    controllerId,
    subjectRequestId: request?.subjectRequestId ?? null,
    startsTomorrow: facts.startsTomorrow,
  };
}

interface Asked {
  readonly subject: Subject;
  readonly request: RequestKey | undefined;
  readonly lookedUp?: readonly LookedUp[];
}

async function subjectOf(parts: PreviewParts, person: PreviewedPerson): Promise<Asked> {
  if ('request' in person) return ofRequest(parts, person.request, person.controller);
  const { controllerId } = await findController(parts.store.tenants, person.controller);
  // Targets are told a request's id; this one belongs to no request.
  const subjectRequestId = randomUUID() as SubjectRequestId;
  const { identities } = person;
  return { subject: { taskNo: 0, controllerId, subjectRequestId, identities }, request: undefined };
}

async function ofRequest(
  parts: PreviewParts,
  id: string,
  controller: string | undefined,
): Promise<Asked> {
  const { controllerId, subjectRequestId } = await findRequest(parts.store, id, controller);
  const request = { controllerId, subjectRequestId };
  const { given, lookedUp } = await identitiesBySource(parts, request);
  if (given.length === 0) {
    throw new NotPossible(
      'the request has no identities: it came without, or they were deleted because it is completed or cancelled',
    );
  }
  return { subject: { taskNo: 0, ...request, identities: given }, request, lookedUp };
}

export function previewShape(preview: PersonPreview) {
  const { controllerId, subjectRequestId, resolved, waitsFor, startsTomorrow, targets } = preview;
  return {
    controller_id: controllerId,
    subject_request_id: subjectRequestId,
    identities_looked_up: resolved,
    waits_for: waitsFor,
    ...(startsTomorrow && { starts_tomorrow: true }),
    targets: targets.map(
      ({ target, outcome, reason, detail, counts, retained, detached, kept, lockedMs }) => ({
        target: target.name,
        connector: target.connector,
        outcome,
        reason,
        detail,
        rows: counts,
        retained,
        detached,
        shared_kept: kept,
        ...(lockedMs !== undefined && { locked_ms: lockedMs }),
      }),
    ),
  };
}
