// One change of state or operator action: who, what, when, which request. Never an identity.

export const AUDIT_ACTIONS = [
  'request.created',
  'request.cancelled',
  'request.start_asked',
  'request.started',
  'request.completed',
  'request.identified',
  'request.extended',
  'request.erase_again_asked',
  'request.erased_again',
  'request.shredded',
  'request.retried',
  'task.resolved',
  'task.erased',
  'task.held',
  'task.failed',
  'task.released',
  'task.retained',
  'task.confirmed',
  'receipt.signed',
  'evidence.accepted',
  'evidence.exported',
  'legal_hold.placed',
  'legal_hold.lifted',
  'legal_hold.ended',
  'erasing.paused',
  'erasing.resumed',
  'store.went_back',
  'store.restore_reviewed',
  'store.restore_confirmed',
  'preview.run',
  'identity.revealed',
  'seen.asked',
  'records.forgotten',
  'audit.damage_accepted',
  'master_key.rotated',
  'master_key.retired',
  'master_key.destroyed',
  'controller.created',
  'controller.updated',
  'controller.closed',
  'client.created',
  'client.revoked',
  'secret.created',
  'secret.revoked',
  'token.issued',
  'operator.link_created',
  'operator.signed_in',
  'operator.signed_out',
  'operator.sign_in_refused',
  'operator_client.created',
  'operator_client.revoked',
  'config.reloaded',
  'config.reload_refused',
  'events.sent_again',
  'signing_key.created',
  'proof_key.rotated',
  'digest_key.replaced',
  'digest_key.destroyed',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditRow {
  readonly auditNo: number;
  readonly time: number;
  /** `client:…`, `user:…` (single sign-on), `operator:…`, `system`, or `system:audit-log` where the log itself is damaged. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  /** JSON about the action itself, such as a client id. */
  readonly detail: string | null;
}

export type NewAuditRow = Omit<AuditRow, 'auditNo'>;
