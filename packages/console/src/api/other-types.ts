// What the operator API answers about controllers, the audit log and the machine.
import type { ProcessorCertificate } from './overview-types.ts';
import type { Iso, RequestName, RequestStatus } from './request-types.ts';

export interface ControllerLine {
  readonly controller_id: string;
  readonly name: string | null;
  readonly sso_organisation: string | null;
  readonly created_time: Iso;
  /** When its contract ended. */
  readonly closed_time: Iso | null;
  readonly clients: number;
}

export interface Usage {
  readonly started: number;
  readonly completed: number;
  readonly cancelled: number;
}

export interface SecretLine {
  readonly secret_id: string;
  readonly created_time: Iso;
  readonly revoked_time: Iso | null;
}

export interface ClientLine {
  readonly client_id: string;
  readonly name: string | null;
  readonly created_time: Iso;
  readonly revoked_time: Iso | null;
  readonly secrets: readonly SecretLine[];
}

export interface ControllerPage extends Omit<ControllerLine, 'clients'> {
  readonly etag: string;
  readonly usage: {
    readonly today: Usage;
    readonly total: Usage;
    readonly max_starts_per_day: number | null;
  };
  readonly sso_issuers: readonly {
    readonly issuer: string;
    readonly organisation_claim: string | null;
  }[];
  readonly clients: readonly ClientLine[];
}

export interface Closing {
  readonly pending: number;
  readonly in_progress: number;
  readonly legal_holds: number;
}

export interface NewSecret {
  readonly client_id: string;
  readonly controller_id: string;
  readonly secret_id: string;
  readonly client_secret: string;
  readonly token_url: string;
}

export interface AuditRow {
  /** Null for the creation of a request. */
  readonly audit_no: number | null;
  readonly time: Iso;
  readonly actor: string;
  readonly action: string;
  readonly controller_id: string | null;
  readonly subject_request_id: string | null;
  readonly detail: unknown;
}

export interface Verdict {
  readonly ok: boolean;
  readonly words: readonly string[];
  readonly problems: readonly string[];
  readonly accepted: readonly string[];
  readonly heads: number;
  readonly rows: number;
  readonly unsealed_rows: number;
  readonly last_head: { readonly head_no: number; readonly hash: string } | null;
  readonly verified_time: Iso;
}

export interface ReceiptVerdict {
  readonly ok: boolean;
  readonly words: readonly string[];
}

export interface Settings {
  readonly file: string | null;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: string;
  }[];
}

export interface EventWebhook {
  readonly is_set: boolean;
  readonly sent_audit_no: number;
  readonly newest_audit_no: number;
  readonly sent_time: Iso | null;
  readonly failures: number;
  readonly failure: string | null;
  readonly failed_time: Iso | null;
  readonly next_time: Iso | null;
}

export interface System {
  readonly version: string;
  readonly node_version: string;
  readonly store: 'sqlite' | 'postgres';
  readonly role: string;
  readonly started_time: Iso;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly public_url: string;
  readonly certificate: {
    readonly subject: string;
    readonly not_after: Iso;
    readonly days_left: number;
  } | null;
  readonly processor_certificate: ProcessorCertificate | null;
  readonly master_keys_from: string;
}

export interface Node {
  readonly node: string;
  readonly host: string;
  readonly pid: number;
  readonly role: string;
  readonly version: string;
  readonly started_time: Iso;
  readonly seen_time: Iso;
  readonly is_alive: boolean;
  readonly state: string;
  /** A digest of the settings that all nodes should have alike. */
  readonly configuration: string;
  readonly batches: readonly { readonly target: string; readonly tasks: number }[];
}

export interface Keys {
  readonly items: readonly {
    readonly master_key: string;
    readonly state: string;
    readonly created_time: Iso | null;
    readonly retired_time: Iso | null;
    readonly sealed: number;
    readonly capped: boolean;
    readonly destroyable_time: Iso | null;
  }[];
  readonly signing_keys: readonly {
    readonly kid: string;
    readonly created_time: Iso;
    readonly retired_time: Iso | null;
    readonly revoked_time: Iso | null;
  }[];
}

/** Keys that sign audit heads and receipts, oldest first. */
export interface ProofKeys {
  readonly key_id: string;
  readonly keys: readonly { readonly key_id: string; readonly created_time: Iso }[];
}

export interface LostRequest extends RequestName {
  readonly was: string;
  readonly time: Iso;
  readonly known_from: string;
  readonly request_status: RequestStatus | null;
  readonly confirming: string;
}

export interface Restore {
  readonly etag: string;
  readonly went_back: boolean;
  readonly detected_time: Iso | null;
  readonly detected_by: string | null;
  readonly reason: string | null;
  readonly last_head_no: number | null;
  readonly requests: readonly LostRequest[];
  /** Size of the whole list, not of this page. */
  readonly count: number;
  readonly next: string | null;
}
