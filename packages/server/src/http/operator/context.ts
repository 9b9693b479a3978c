// What the routes of the operator API work with; app/ builds it.
import type { AuditProofs } from '../../domain/audit/proof-documents.ts';
import type { Damage, KnownHead } from '../../domain/audit/proof-ports.ts';
import type { DatedCertificate } from '../../domain/certificate/validity.ts';
import type { PublishedKey } from '../../domain/keys/proof-key-ports.ts';
import type { ClosingFacts } from '../../domain/receipt/closing.ts';
import type { GivenReceipt } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Subject } from '../../domain/target/connector.ts';
import type { PreviewFacts, RequestPreview } from '../../domain/target/preview.ts';
import type { SqlTargetConfig, TargetConfig } from '../../domain/target/target.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import type { PlannedTask } from '../../domain/task/task.ts';
import type { SsoIssuer } from '../../domain/tenant/sso-issuer.ts';
import type { Client } from '../../domain/tenant/tenants.ts';
import type { GivenDocument, ReceiptVerdict } from '../../operator/audit/receipt-verdict.ts';
import type { Verdict } from '../../operator/audit/verdict.ts';
import type { Exported, ExportQuery } from '../../operator/export/export-evidence.ts';
import type { RotationParts } from '../../operator/keys/rotate-keys.ts';
import type { IdentityAccess } from '../../operator/request/request-identities.ts';
import type { CheckedTarget } from '../../operator/target/check-target.ts';

/** Settings that the routes need. */
export interface OperatorSettings {
  readonly targets: readonly TargetConfig[];
  /** In seconds. */
  readonly cancellationWindow: number;
  readonly maxStartsPerDay: number | null;
  readonly sso: readonly SsoIssuer[];
  readonly publicUrl: string;
  readonly audience: string;
  readonly role: string;
  /** Whether events.webhook is set. */
  readonly sendsEvents: boolean;
}

export interface ShownSettings {
  readonly file: string | null;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: string;
  }[];
}

export interface SystemFacts {
  readonly version: string;
  readonly storeKind: 'sqlite' | 'postgres';
  readonly startedTime: number;
  /** A digest of the settings in force that all nodes should have alike. */
  readonly configuration: string;
  /** Of our own TLS. */
  readonly certificate: { readonly subject: string; readonly notAfter: number } | null;
  /** Null if keys come from the environment. */
  readonly masterKeyFile: string | null;
}

export interface ProofKeys {
  readonly keyId: string;
  readonly publicKey: string;
  /** All keys that ever signed, oldest first. */
  readonly published: readonly PublishedKey[];
}

export interface OperatorContext {
  readonly store: Store;
  /** Those in force: a reload may change them. */
  settings(): OperatorSettings;
  /** `by` is the actor in the audit log. */
  reload(
    by: string,
  ): Promise<
    | { readonly ok: true; readonly changed: readonly string[] }
    | { readonly ok: false; readonly reasons: readonly string[] }
  >;
  readonly identities: IdentityAccess;
  /** Previews at the targets of the controller; changes nothing there. */
  look(subject: Subject, facts: PreviewFacts): Promise<RequestPreview>;
  check(target: TargetConfig): Promise<CheckedTarget>;
  /** A draft of a plan as YAML, from the tables and foreign keys of the target. */
  suggest(target: SqlTargetConfig): Promise<string>;
  planTask(target: TargetConfig): PlannedTask;
  readonly receipts: {
    /** Signs the receipt if the worker has not done so yet. */
    issue(request: RequestKey): Promise<GivenReceipt[]>;
    render(document: string): Promise<string>;
  };
  readonly audit: {
    proofs(): Promise<AuditProofs>;
    /** The keys of heads and receipts. */
    keys(): Promise<ProofKeys>;
    rotateKey(by: Actor): Promise<void>;
    accept(reason: string, by: Actor): Promise<Damage>;
    verify(known: readonly KnownHead[]): Promise<Verdict>;
    verifyReceipt(receipt: GivenDocument, heads: readonly GivenDocument[]): Promise<ReceiptVerdict>;
    /** Writes JSON lines. */
    export(since: number, write: (line: string) => Promise<void>): Promise<void>;
  };
  /** Writes a ZIP archive. */
  exportEvidence(
    query: ExportQuery,
    write: (bytes: Uint8Array) => Promise<void>,
    by: Actor,
  ): Promise<Exported>;
  readonly keys: RotationParts;
  /** The signed closing statement of a controller. */
  signClosing(facts: ClosingFacts): Promise<string>;
  rotateSigningKey(isRevoking: boolean, actor: string): Promise<string>;
  issueToken(client: Client): Promise<{ readonly accessToken: string; readonly expiresIn: number }>;
  /** Checks thoroughly whether a backup of the store was restored. */
  lookAtStore(): Promise<unknown>;
  /** Sends a test to where alarms are sent; undefined if that is nowhere. */
  testAlarm():
    | ((
        now: number,
      ) => Promise<readonly ({ ok: true; answer: string } | { ok: false; reason: string })[]>)
    | undefined;
  shownSettings(): ShownSettings;
  system(): SystemFacts;
  notReadyBecause(): Promise<string[]>;
  /** Undefined without one. */
  processorCertificate(): DatedCertificate | undefined;
}
