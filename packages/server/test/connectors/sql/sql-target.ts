// Builders for targets, requests and whole erasures.

import { createHash, randomUUID } from 'node:crypto';
import type { IdentityType, SubjectRequestId } from '@unwrite/protocol';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import { byNameFromJson } from '../../../src/domain/by-name.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type {
  Connector,
  EraseOrder,
  Erasure,
  Found,
  Preview,
  Subject,
  Verdict,
} from '../../../src/domain/target/connector.ts';
import type {
  MatchConfig,
  SqlTargetConfig,
  TableConfig,
  TablesWork,
} from '../../../src/domain/target/target.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { eraseFound } from '../../helpers/erase-found.ts';
import type { SqlTestDatabase } from './sql-databases.ts';

export const ACME = 'acme' as ControllerId;
export const GLOBEX = 'globex' as ControllerId;

export const email = (value: string) => new Identity('email', value);
export const customerId = (value: string) => new Identity('controller_customer_id', value);

export function aSubject(
  taskNo: number,
  identities: readonly Identity[],
  controllerId = ACME,
): Subject {
  const subjectRequestId = randomUUID() as SubjectRequestId;
  return { taskNo, controllerId, subjectRequestId, identities };
}

/** `match`: as in the file, with one column an identity type, or as it is read. */
export interface TableChanges extends Omit<Partial<TableConfig>, 'match'> {
  readonly match?: Readonly<Partial<Record<IdentityType, string>>> | readonly MatchConfig[];
}

export function aTable(table: string, { match = [], ...changes }: TableChanges = {}): TableConfig {
  return {
    table,
    key: null,
    tenantColumn: null,
    match: Array.isArray(match) ? match : matchesOf(match),
    via: [],
    action: { kind: 'delete' },
    shared: 'hold',
    whenUnmatched: 'hold',
    ...changes,
  };
}

function matchesOf(match: object): MatchConfig[] {
  return Object.entries(match).map(([type, column]) => ({ type: type as IdentityType, column }));
}

export function tablesWork(
  tables: readonly TableConfig[],
  changes: Partial<TablesWork> = {},
): TablesWork {
  return { kind: 'tables', tables, cascades: [], triggers: [], ...changes };
}

export function aTarget(
  database: Pick<SqlTestDatabase, 'connector' | 'address'>,
  work: SqlTargetConfig['work'],
  changes: Partial<SqlTargetConfig> = {},
): SqlTargetConfig {
  return {
    name: 'shop',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 10_000,
    maxRowsPerDay: null,
    batchSize: 500,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: 'digest',
    planDigest: 'plan',
    connector: database.connector,
    address: database.address,
    tenancy: { way: 'none' },
    work,
    statementTimeout: 10_000,
    lockTimeout: 1000,
    resolve: null,
    accept: {},
    ...changes,
  };
}

export function testHash(value: string): string {
  return `uw1:${createHash('sha256').update(value).digest('base64url').slice(0, 22)}`;
}

export function connect(config: SqlTargetConfig): Connector {
  return createSqlConnector(config, { hash: testHash });
}

export function isFound(preview: Preview | undefined): Found {
  if (preview?.outcome !== 'found') throw new Error(`previewed as ${JSON.stringify(preview)}`);
  return preview;
}

export function toOrder(subject: Subject, preview: Preview | undefined): EraseOrder {
  const { keys, counts, layout } = isFound(preview);
  // As it comes back from being sealed.
  return {
    ...subject,
    keys: byNameFromJson(JSON.stringify(keys)),
    counts,
    ...(layout !== undefined && { layout }),
  };
}

export interface Passage {
  readonly previews: Preview[];
  readonly orders: EraseOrder[];
  readonly erasures: Erasure[];
  readonly verdicts: Verdict[];
}

/** Preview, erase and verify, as the service does. */
export async function passThrough(
  connector: Connector,
  subjects: readonly Subject[],
  between: (orders: EraseOrder[]) => Promise<void> = async () => undefined,
): Promise<Passage> {
  const previews = await connector.preview(subjects);
  const found = subjects.map((subject, place) => toOrder(subject, previews[place]));
  await between(found);
  const ordered = new Map(found.map((order) => [order.taskNo, order]));
  const erasures = await eraseFound(
    connector,
    subjects,
    async () => true,
    (order) => ordered.set(order.taskNo, order),
  );
  const orders = subjects.flatMap(({ taskNo }) => ordered.get(taskNo) ?? []);
  const verdicts = await connector.verify(orders);
  return { previews, orders, erasures, verdicts };
}

export const GONE: Verdict = { outcome: 'gone', how: 'requeried' };
