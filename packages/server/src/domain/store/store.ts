// A store as a whole, for both databases.
import type {
  AlarmCatalogue,
  ConditionStore,
  DeliveryStore,
  WatchStore,
} from '../alarm/alarm-ports.ts';
import type { AuditLog } from '../audit/audit-ports.ts';
import type { EventOperator, EventStore } from '../audit/event-ports.ts';
import type { AuditHeadStore, AuditTree } from '../audit/proof-ports.ts';
import type { WitnessStore } from '../audit/witness-ports.ts';
import type { Clock } from '../clock.ts';
import type { DigestKeyStore } from '../keys/digest-key-ports.ts';
import type { MasterKeyStore } from '../keys/key-ports.ts';
import type { ProofKeyStore } from '../keys/proof-key-ports.ts';
import type { RowMacs } from '../keys/row-macs.ts';
import type {
  OwnSecretStore,
  RowKeyStore,
  SigningKeyStore,
  VaultKeyStore,
} from '../keys/secret-ports.ts';
import type { LegalHoldEnds, LegalHoldStore } from '../legal-hold/legal-hold.ts';
import type { OperatorStore } from '../operator/sign-in-ports.ts';
import type { OperatorViews } from '../operator/view-ports.ts';
import type { ClosingStore } from '../receipt/closing.ts';
import type { ReceiptStore } from '../receipt/receipt.ts';
import type {
  ForgettingOperator,
  ForgettingStore,
  RequestArchive,
} from '../request/forgetting-ports.ts';
import type { ReadLoggedStatus } from '../request/logged-status.ts';
import type { CreateOutcome, NewRequest } from '../request/request.ts';
import type { RequestCatalogue, RequestStore } from '../request/request-ports.ts';
import type { StatisticsStore } from '../statistics/statistics-ports.ts';
import type { FulfilmentStore, SealedBytes } from '../task/fulfilment-ports.ts';
import type { AttentionQuery, TaskCatalogue, TaskOperator } from '../task/operator-ports.ts';
import type { PauseOperator } from '../task/pause-ports.ts';
import type { TenantStore, TenantWriter } from '../tenant/tenant-ports.ts';
import type { StoreMetrics } from './metrics-ports.ts';
import type { NodeRegistry } from './node-ports.ts';
import type { RestoreStore } from './restore-ports.ts';

/** What the command line and the API work with. */
export interface Store {
  /** The clock for all times in the store. */
  readonly clock: Clock;
  /** MACs of rows that grant something; gets its key when the vault is open. */
  readonly rowMacs: RowMacs;
  readonly rowKeys: RowKeyStore;
  readonly tenants: TenantStore;
  readonly tenantWriter: TenantWriter;
  /** How operators sign in. */
  readonly operators: OperatorStore;
  readonly catalogue: RequestCatalogue;
  readonly loggedStatus: ReadLoggedStatus;
  readonly signingKeys: SigningKeyStore;
  readonly vaultKeys: VaultKeyStore;
  readonly masterKeys: MasterKeyStore;
  readonly ownSecrets: OwnSecretStore;
  readonly proofKeys: ProofKeyStore;
  readonly digestKeys: DigestKeyStore;
  readonly tasks: TaskCatalogue;
  /** Pages and numbers for the console. */
  readonly views: OperatorViews;
  readonly operator: TaskOperator;
  /** Creates a request with its sealed identities, in the name of an operator. */
  enter(request: NewRequest, sealed: SealedBytes): Promise<CreateOutcome>;
  readonly pauses: PauseOperator;
  readonly legalHolds: LegalHoldStore;
  readonly closing: ClosingStore;
  readonly restores: RestoreStore;
  readonly alarms: AlarmCatalogue & Pick<ConditionStore, 'raise'>;
  readonly forgetting: ForgettingOperator;
  readonly auditHeads: AuditHeadStore;
  /** Reads from a snapshot of the log. */
  readAudit<T>(read: (tree: AuditTree) => Promise<T>): Promise<T>;
  readonly auditLog: AuditLog;
  readonly events: EventOperator;
  readonly receipts: ReceiptStore;
  /** Null if only one process may serve. */
  readonly nodes: NodeRegistry | null;
  /** Rejects if the store cannot be read; with StoreReadOnly if it can be read but accepts no writes. */
  ping(): Promise<void>;
  /** Rejects if nothing can be written durably; changes nothing. */
  tryWrite(): Promise<void>;
  /** Migrations that this opening applied. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

/** Tables that have grown much since the database last collected statistics about them. */
export interface GrownTables {
  areThere(): Promise<boolean>;
  countAgain(): Promise<void>;
}

/** The store of a worker, with its own connections. */
export interface WorkStore {
  readonly rowMacs: RowMacs;
  readonly fulfilment: FulfilmentStore;
  readonly pauses: Pick<PauseOperator, 'pause'>;
  readonly ownSecrets: OwnSecretStore;
  readonly proofKeys: ProofKeyStore;
  readonly digestKeys: DigestKeyStore;
  readonly restores: RestoreStore;
  readonly auditHeads: AuditHeadStore;
  readonly witness: WitnessStore;
  readonly events: EventStore;
  readonly receipts: ReceiptStore;
  readonly forgetting: ForgettingStore;
  /** Null if the store has no archive. */
  readonly archive: RequestArchive | null;
  /** Null if plans of the database do not depend on statistics. */
  readonly grownTables: GrownTables | null;
  readonly masterKeys: MasterKeyStore;
  readonly legalHolds: LegalHoldEnds;
  readonly watch: WatchStore;
  readonly conditions: ConditionStore;
  /** To the webhook. */
  readonly delivery: DeliveryStore;
  /** By e-mail. */
  readonly mailing: DeliveryStore;
  readonly statistics: StatisticsStore;
  close(): Promise<void>;
}

/** What decides whether a worker is needed: only the questions of its chores. */
export interface DueStore {
  readonly auditHeads: Pick<AuditHeadStore, 'unsealed'>;
  readonly witness: Pick<WitnessStore, 'due'>;
  readonly events: Pick<EventStore, 'due'>;
  readonly receipts: Pick<ReceiptStore, 'anyDue'>;
  readonly forgetting: Pick<ForgettingStore, 'anyToShred' | 'anyToForget' | 'anyAuditToCut'>;
  readonly masterKeys: Pick<MasterKeyStore, 'masterKeys'>;
  readonly legalHolds: Pick<LegalHoldEnds, 'anyToEnd'>;
  readonly watch: Pick<WatchStore, 'hasToLook'>;
  readonly conditions: Pick<ConditionStore, 'conditions'>;
  readonly delivery: Pick<DeliveryStore, 'hasToDeliver'>;
  readonly mailing: Pick<DeliveryStore, 'hasToDeliver'>;
  readonly statistics: Pick<StatisticsStore, 'anyToCount'>;
}

/** The hot path, and what has to finish before the store is closed. */
export interface ServingStore extends RequestStore {
  drained(): Promise<void>;
}

export type ReadMetrics = (query: Omit<AttentionQuery, 'limit'>) => Promise<StoreMetrics>;
