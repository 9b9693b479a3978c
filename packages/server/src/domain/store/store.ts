// A store as a whole, whichever database is behind it.
import type {
  AlarmCatalogue,
  ConditionStore,
  DeliveryStore,
  WatchStore,
} from '../alarm/alarm-ports.ts';
import type { AuditLog } from '../audit/audit-ports.ts';
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
import type { OperatorStore } from '../operator/sign-in-ports.ts';
import type { OperatorViews } from '../operator/view-ports.ts';
import type { ReceiptStore } from '../receipt/receipt.ts';
import type {
  ForgettingOperator,
  ForgettingStore,
  RequestArchive,
} from '../request/forgetting-ports.ts';
import type { ReadLoggedStatus } from '../request/logged-status.ts';
import type { RequestCatalogue, RequestStore } from '../request/request-ports.ts';
import type { StatisticsStore } from '../statistics/statistics-ports.ts';
import type { FulfilmentStore } from '../task/fulfilment-ports.ts';
import type { AttentionQuery, TaskCatalogue, TaskOperator } from '../task/operator-ports.ts';
import type { PauseOperator } from '../task/pause-ports.ts';
import type { TenantStore, TenantWriter } from '../tenant/tenant-ports.ts';
import type { StoreMetrics } from './metrics-ports.ts';
import type { NodeRegistry } from './node-ports.ts';
import type { RestoreStore } from './restore-ports.ts';

/** What the command line and the API work with. */
export interface Store {
  /** The time that everything in the store is measured by. */
  readonly clock: Clock;
  /** For rows that would let somebody act for us; gets its key when the vault is open. */
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
  readonly pauses: PauseOperator;
  readonly restores: RestoreStore;
  readonly alarms: AlarmCatalogue & Pick<ConditionStore, 'raise'>;
  readonly forgetting: ForgettingOperator;
  readonly auditHeads: AuditHeadStore;
  /** A snapshot of the log, however long the reading takes. */
  readAudit<T>(read: (tree: AuditTree) => Promise<T>): Promise<T>;
  readonly auditLog: AuditLog;
  readonly receipts: ReceiptStore;
  /** Null where only one process may serve. */
  readonly nodes: NodeRegistry | null;
  /** Rejects where the store cannot be read; with StoreReadOnly where it can be, and takes no writes. */
  ping(): Promise<void>;
  /** Migrations that this opening applied. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

/** Since the store last counted what is in them. */
export interface GrownTables {
  areThere(): Promise<boolean>;
  countAgain(): Promise<void>;
}

/** What a worker works with, on connections of its own. */
export interface WorkStore {
  readonly rowMacs: RowMacs;
  readonly fulfilment: FulfilmentStore;
  readonly ownSecrets: OwnSecretStore;
  readonly proofKeys: ProofKeyStore;
  readonly digestKeys: DigestKeyStore;
  readonly restores: RestoreStore;
  readonly auditHeads: AuditHeadStore;
  readonly witness: WitnessStore;
  readonly receipts: ReceiptStore;
  readonly forgetting: ForgettingStore;
  /** Null where all requests stay in one place. */
  readonly archive: RequestArchive | null;
  /** Null where nothing depends on how much there was. */
  readonly grownTables: GrownTables | null;
  readonly masterKeys: MasterKeyStore;
  readonly watch: WatchStore;
  readonly conditions: ConditionStore;
  readonly delivery: DeliveryStore;
  readonly statistics: StatisticsStore;
  close(): Promise<void>;
}

/** What tells whether a worker is wanted: the questions of its chores alone. */
export interface DueStore {
  readonly auditHeads: Pick<AuditHeadStore, 'unsealed'>;
  readonly witness: Pick<WitnessStore, 'due'>;
  readonly receipts: Pick<ReceiptStore, 'anyDue'>;
  readonly forgetting: Pick<ForgettingStore, 'anyToShred' | 'anyToForget' | 'anyAuditToCut'>;
  readonly masterKeys: Pick<MasterKeyStore, 'masterKeys'>;
  readonly watch: Pick<WatchStore, 'hasToLook'>;
  readonly conditions: Pick<ConditionStore, 'conditions'>;
  readonly delivery: Pick<DeliveryStore, 'hasToDeliver'>;
  readonly statistics: Pick<StatisticsStore, 'anyToCount'>;
}

/** The hot path, with what has to be finished before the store is closed. */
export interface ServingStore extends RequestStore {
  drained(): Promise<void>;
}

export type ReadMetrics = (query: Omit<AttentionQuery, 'limit'>) => Promise<StoreMetrics>;
