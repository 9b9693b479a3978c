// What the API and operators need from the store about requests.
import type { AuditRow } from '../audit/audit-row.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type {
  CancelCommand,
  CancelOutcome,
  CreateOutcome,
  NewRequest,
  RequestKey,
  RequestState,
  RequestSummary,
} from './request.ts';

/** The hot path. When a promise resolves, the change is durable. */
export interface RequestStore {
  create(request: NewRequest): Promise<CreateOutcome>;
  cancel(command: CancelCommand): Promise<CancelOutcome>;
  read(key: RequestKey): Promise<RequestState | undefined>;
}

/** What operators look at. */
export interface RequestCatalogue {
  /** Several if controllers use the same id. */
  find(subjectRequestId: string, controllerId?: ControllerId): Promise<RequestSummary[]>;
  /** Requests whose ids are within the inclusive range; at most `limit`, ordered by id. */
  findWithin(
    ids: { readonly from: string; readonly to: string },
    limit: number,
    controllerId?: ControllerId,
  ): Promise<RequestSummary[]>;
  /** What happened after the creation, oldest first. */
  auditOf(controllerId: ControllerId, subjectRequestId: string): Promise<AuditRow[]>;
}
