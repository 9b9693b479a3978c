// The audit log as operators read it.
import type { Actor } from '../task/operator-ports.ts';
import type { AuditAction, AuditRow } from './audit-row.ts';
import type { SetAside } from './proof-ports.ts';

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
  note(action: AuditAction, by: Actor, detail: object): Promise<void>;
  /** Rows and heads in the log that Unwrite did not write, oldest first. */
  setAside(): Promise<SetAside[]>;
  /** Called after an operator has looked at them. Returns how many were removed. */
  removeSetAside(by: Actor): Promise<number>;
}
