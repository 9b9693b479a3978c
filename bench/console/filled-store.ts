// A filled store with the operator API on it, in this process: so what it says to the database can be written down.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Installation, openInstallation } from '../../packages/server/src/app/installation.ts';
import { registerOperatorApi } from '../../packages/server/src/app/operator/api.ts';
import { databaseOptionsOf } from '../../packages/server/src/app/postgres.ts';
import { createLiveConfig } from '../../packages/server/src/app/settings/live-config.ts';
import { loadProofSigner } from '../../packages/server/src/audit/proof-key.ts';
import { createOperatorClients } from '../../packages/server/src/auth/operator/operator-clients.ts';
import { createProvision } from '../../packages/server/src/auth/provision.ts';
import { type LoadedConfig, loadConfig } from '../../packages/server/src/config/config.ts';
import { Identity } from '../../packages/server/src/domain/request/identity.ts';
import type { ControllerId } from '../../packages/server/src/domain/tenant/controller-id.ts';
import { createSendError } from '../../packages/server/src/http/errors.ts';
import { createHttpServer } from '../../packages/server/src/http/server.ts';
import { openDatabase as openPostgres } from '../../packages/server/src/store/postgres/database.ts';
import { createStatisticsStore } from '../../packages/server/src/store/shared/views/count-statistics.ts';
import type { Database } from '../../packages/server/src/store/sql.ts';
import { databaseOn } from '../../packages/server/src/store/sqlite/database.ts';
import { openDatabase as openSqlite } from '../../packages/server/src/store/sqlite/open-database.ts';
import { databasePathIn } from '../../packages/server/src/store/sqlite/open-store.ts';
import { createErrorLog } from '../../packages/server/src/telemetry/http-log.ts';
import { createLog } from '../../packages/server/src/telemetry/log.ts';
import { createSecretSealer } from '../../packages/server/src/vault/seal-secret.ts';
import type { Known } from './calls.ts';
import { CONTROLLERS, type Fill, fillStore } from './fill.ts';
import { type Recorder, recordPostgres, recordSqlite } from './plans.ts';

const PERSON = 'jane.doe@example.com';
const CONFIG = `
targets:
  shop: { connector: http, url: 'http://127.0.0.1:9/erase' }
  crm: { connector: http, url: 'http://127.0.0.1:9/erase' }
  paper: { connector: manual, instructions: Shred the card }
`;

export interface FilledStore {
  readonly url: string;
  readonly token: string;
  readonly known: Known;
  readonly recorder: Recorder;
  /** In milliseconds, of this process and of the database's that serve it (Linux). */
  processorTime(): Promise<number>;
  close(): Promise<void>;
}

export async function openFilledStore(
  folder: string,
  server: string | undefined,
  fill: Fill,
  say: (what: string) => void,
): Promise<FilledStore> {
  const store = server === undefined ? 'sqlite' : await makeDatabase(server);
  const file = join(folder, 'unwrite.config.yaml');
  writeFileSync(file, CONFIG);
  const environment = {
    UNWRITE_STORE: store,
    UNWRITE_DATA_DIR: join(folder, server === undefined ? 'sqlite' : 'postgres'),
    UNWRITE_CONFIG: file,
    UNWRITE_STATEMENT_TIMEOUT: 'off',
  };
  const loaded = loadConfig({}, environment, folder);
  const { config } = loaded;
  const recorder =
    server === undefined ? recordSqlite(databasePathIn(config.dataDir)) : recordPostgres(store);
  const installation = await openInstallation(config);
  const { database, close } =
    server === undefined
      ? ownSqlite(config.dataDir)
      : ownPostgres({ ...databaseOptionsOf(config), statementTimeout: null });
  // Secrets are made before there is anything that was made with them.
  await installation.identities.digests('acme' as ControllerId, [new Identity('email', PERSON)]);
  const sealer = createSecretSealer(installation.vaultKeys.ring);
  await loadProofSigner(installation.store, sealer, fill.now);
  const provision = createProvision(installation.store, 'operator:bench');
  for (const id of CONTROLLERS) await provision.client(id, 'a client');
  if ((await database.get('SELECT 1 AS one FROM @requests LIMIT 1')) === undefined) {
    await fillStore(database, fill, say);
    const statistics = createStatisticsStore(database);
    while (await statistics.countSome(fill.now));
  }
  const known = await knownIn(database, installation, fill);
  await close();
  say('all counted');
  const clients = createOperatorClients(installation.store.operators, installation.store.clock);
  const { token } = await clients.create('bench', 'admin', null, 'operator:bench');
  const app = await openApi(installation, loaded);
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    token,
    known,
    recorder,
    processorTime: () => processorTime(server === undefined ? undefined : store),
    async close() {
      await app.close();
      await installation.close();
    },
  };
}

async function openApi(installation: Installation, loaded: LoadedConfig) {
  const { config } = loaded;
  const log = await createLog('warn');
  const errorLog = createErrorLog(log);
  const isClosing = () => false;
  const app = createHttpServer({
    tls: undefined,
    trustProxy: false,
    isClosing,
    makeRequestId: () => randomBytes(8).toString('hex'),
    sendError: createSendError({ log: errorLog, isClosing }),
  });
  registerOperatorApi(app, {
    config,
    installation,
    log,
    errorLog,
    isClosing,
    live: createLiveConfig(config, loaded, () => loaded),
    reload: async () => ({ ok: true, changed: [] }),
    notReadyBecause: async () => [],
    processorCertificate: undefined,
  });
  return app;
}

interface Opened {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

function ownSqlite(dataDir: string): Opened {
  const connection = openSqlite(databasePathIn(dataDir), 'write');
  // Nothing of it needs to survive a crash.
  connection.exec(
    'PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA foreign_keys = OFF',
  );
  return { database: databaseOn(connection), close: async () => connection.close() };
}

function ownPostgres(options: Parameters<typeof openPostgres>[0]): Opened {
  const database = openPostgres(options);
  return { database: database.unprepared, close: database.close };
}

/** A request of each status to look at; the person of the one in progress is somebody whom a search finds. */
async function knownIn(
  sql: Database,
  { identities, vaultKeys }: Installation,
  { now }: Fill,
): Promise<Known> {
  const requests: Record<string, string> = {};
  for (const status of ['pending', 'in_progress', 'completed', 'cancelled']) {
    const row = await sql.get<{ no: number; controller: ControllerId; id: string }>(
      `SELECT request_no AS no, controller_id AS controller, subject_request_id AS id
       FROM @all_requests WHERE status = '${status}' AND controller_id = 'acme' LIMIT 1`,
    );
    if (row === undefined) continue;
    requests[status] = `${row.controller}/${row.id}`;
    if (status !== 'in_progress') continue;
    const person = [new Identity('email', PERSON)];
    const key = { controllerId: row.controller, subjectRequestId: row.id };
    const { wrappedKey, sealed } = identities.seal(key as never, person);
    await sql.run(
      `UPDATE @sealed_identities SET master_key_id = :id, wrapped_key = :wrappedKey, sealed = :sealed
       WHERE request_no = :no`,
      { id: vaultKeys.ring.current.id, wrappedKey, sealed, no: row.no },
    );
    const [digest] = await identities.digests(row.controller, person);
    await sql.run('INSERT INTO @identity_digests (digest, request_no) VALUES (:digest, :no)', {
      digest,
      no: row.no,
    });
  }
  const held = await sql.get<{ task: number }>(
    "SELECT min(task_no) AS task FROM @tasks WHERE state = 'held'",
  );
  return { requests, task: held?.task ?? 0, now, person: PERSON };
}

async function makeDatabase(server: string): Promise<string> {
  const client = new pg.Client(new URL('postgres', server).href);
  await client.connect();
  await client.query('CREATE DATABASE console_bench');
  await client.end();
  return new URL('console_bench', server).href;
}

async function processorTime(url: string | undefined): Promise<number> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  if (url === undefined) return own;
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'unwrite%'`,
  );
  await client.end();
  return rows.reduce((sum, { pid }) => sum + processorMs(pid), own);
}

/** In hundredths of a second: the 14th and 15th field. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
