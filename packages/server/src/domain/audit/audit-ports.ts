// The audit log as operators read it.
import type { Actor } from '../task/operator-ports.ts';
import type { AuditAction, AuditRow } from './audit-row.ts';

export interface AuditFilter {
  readonly controllerId?: string;
  readonly subjectRequestId?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

export interface AuditLog {
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditRow[]>;
  /** For what changes nothing in the store. */
  note(action: AuditAction, by: Actor, detail: object, controllerId?: string): Promise<void>;
}
