// What the suites of tenants, keys, proof, forgetting, alarms and metrics need of a store.
import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import type {
  AlarmCatalogue,
  ConditionStore,
  DeliveryStore,
  WatchStore,
} from '../../../src/domain/alarm/alarm-ports.ts';
import type { AuditLog } from '../../../src/domain/audit/audit-ports.ts';
import type { EventOperator, EventStore } from '../../../src/domain/audit/event-ports.ts';
import type { AuditHeadStore } from '../../../src/domain/audit/proof-ports.ts';
import type { MasterKeyStore } from '../../../src/domain/keys/key-ports.ts';
import type {
  OwnSecretStore,
  SigningKeyStore,
  VaultKeyStore,
} from '../../../src/domain/keys/secret-ports.ts';
import type { OperatorStore } from '../../../src/domain/operator/sign-in-ports.ts';
import type { OperatorViews } from '../../../src/domain/operator/view-ports.ts';
import type { ReceiptStore } from '../../../src/domain/receipt/receipt.ts';
import type { ForgettingStore } from '../../../src/domain/request/forgetting-ports.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { RequestCatalogue } from '../../../src/domain/request/request-ports.ts';
import type { RestoreStore } from '../../../src/domain/store/restore-ports.ts';
import type { ReadMetrics } from '../../../src/domain/store/store.ts';
import type { TaskCatalogue } from '../../../src/domain/task/operator-ports.ts';
import type { PauseOperator } from '../../../src/domain/task/pause-ports.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import type { TenantStore, TenantWriter } from '../../../src/domain/tenant/tenant-ports.ts';
import { evidence } from '../../receipts/facts.ts';

/** The store as one process sees it. */
export interface RecordsNode {
  readonly tenants: TenantStore;
  readonly tenantWriter: TenantWriter;
  readonly operators: OperatorStore;
  readonly catalogue: RequestCatalogue;
  readonly views: OperatorViews;
  readonly tasks: TaskCatalogue;
  readonly signingKeys: SigningKeyStore;
  readonly vaultKeys: VaultKeyStore;
  readonly masterKeys: MasterKeyStore;
  readonly ownSecrets: OwnSecretStore;
  readonly auditHeads: AuditHeadStore;
  readonly auditLog: AuditLog;
  readonly events: EventStore & EventOperator;
  readonly receipts: ReceiptStore;
  readonly forgetting: ForgettingStore;
  readonly alarms: AlarmCatalogue;
  readonly watch: WatchStore;
  readonly conditions: ConditionStore;
  readonly delivery: DeliveryStore;
  readonly mailing: DeliveryStore;
  readonly pauses: PauseOperator;
  readonly restores: RestoreStore;
  readonly readMetrics: ReadMetrics;
}

export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

export interface RecordsUnderTest {
  readonly node: RecordsNode;
  /** Another process at the same store. */
  readonly other: RecordsNode;
  /** Puts a row where it could have come to be by itself. */
  insert(table: string, row: Row): Promise<void>;
  /** The same row so many times. */
  insertOften(table: string, row: Row, times: number): Promise<void>;
  update(table: string, key: Row, changes: Row): Promise<void>;
  rows(table: string): Promise<Row[]>;
  /** All rows of the table. */
  remove(table: string): Promise<void>;
  removeRow(table: string, key: Row): Promise<void>;
  /** Where rows of the audit log arrive. */
  readonly newAuditRows: 'audit_rows' | 'new_audit_rows';
  close(): Promise<void>;
}

export type OpenRecords = () => Promise<RecordsUnderTest>;

export const ACME = 'acme' as ControllerId;
export const GLOBEX = 'globex' as ControllerId;
export const NOON = Date.parse('2026-11-15T12:00:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export async function addControllers({ tenantWriter }: RecordsNode): Promise<void> {
  for (const controllerId of [ACME, GLOBEX]) {
    const controller = { controllerId, name: null, ssoOrganisation: null, createdTime: 0 };
    await tenantWriter.addController(controller, 'system');
  }
}

/** Requests and tasks as they are after this and that. */
export function createRecords(under: Pick<RecordsUnderTest, 'insert' | 'update'>) {
  let requests = 0;
  let tasks = 0;
  const runs = new Map<string, number>();
  return {
    async request(changes: Row = {}): Promise<RequestKey & { requestNo: number }> {
      const subjectRequestId = randomUUID() as SubjectRequestId;
      const row = {
        request_no: ++requests,
        controller_id: ACME,
        subject_request_id: subjectRequestId,
        status: 'pending',
        regulation: 'gdpr',
        submitted_time: '2026-11-15T11:00:00Z',
        received_time: NOON,
        created_by: 'client:one',
        identity_count: 1,
        ...changes,
      };
      await under.insert('requests', row);
      return {
        controllerId: row.controller_id as ControllerId,
        subjectRequestId: row.subject_request_id as SubjectRequestId,
        requestNo: row.request_no,
      };
    },
    async task(requestNo: number, changes: Row = {}): Promise<number> {
      const state = changes.state ?? 'erased';
      const target = changes.target ?? 'shop';
      const place = `${requestNo} ${target}`;
      const run = (runs.get(place) ?? 0) + 1;
      runs.set(place, run);
      await under.insert('tasks', {
        task_no: ++tasks,
        request_no: requestNo,
        target,
        run,
        connector: 'postgres',
        phase: 'erase',
        state,
        changed_time: NOON,
        evidence: state === 'erased' ? JSON.stringify(evidence()) : null,
        ...changes,
      });
      return tasks;
    },
    /** With one task that is done. */
    async completed(changes: Row = {}): Promise<RequestKey & { requestNo: number }> {
      const request = await this.request({
        status: 'completed',
        started_time: NOON,
        completed_time: NOON,
        ...changes,
      });
      await this.task(request.requestNo);
      return request;
    },
  };
}

export type Records = ReturnType<typeof createRecords>;
