// The key that authenticates rows is stored together with the MACs of all existing rows: once there is a key, a
// row without a MAC was not written by us.
import {
  type ClaimedRow,
  clientClaim,
  controllerClaim,
  type Release,
  type RowMacs,
  releaseClaim,
  secretClaim,
} from '../../../domain/keys/row-macs.ts';
import type { RowKeyStore } from '../../../domain/keys/secret-ports.ts';
import type { Client, ClientSecret, Controller } from '../../../domain/tenant/tenants.ts';
import { type Database, rowsOf, type Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { authenticateLog, hasLogMacs } from './authenticate-log.ts';
import { OF_ROW_KEY } from './own-secrets.ts';

export function createRowKeyStore({ unprepared: database }: Database, macs: RowMacs): RowKeyStore {
  return {
    addRowKey: (name, sealed, by) =>
      database.transaction(async (sql) => {
        await sql.lock('row key');
        const known = 'SELECT 1 AS one FROM @own_secrets WHERE name = :name';
        if ((await sql.get(known, { name })) !== undefined) return 'there';
        if (await hasMacs(sql)) return 'lost';
        const rows = (await authenticateAll(sql, macs)) + (await authenticateLog(sql));
        await sql.run('INSERT INTO @own_secrets (name, sealed) VALUES (:name, :sealed)', {
          name,
          sealed,
        });
        // A new store has no rows, so there is nothing to authenticate.
        if (rows > 0) await appendAudit(sql, [auditOf('rows.authenticated', by, { rows })]);
        return 'added';
      }),
  };
}

async function hasMacs(sql: Sql): Promise<boolean> {
  const row = await sql.get<{ has: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM @controllers WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @clients WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @client_secrets WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @tasks WHERE state <> 'erased' AND release_mac IS NOT NULL)
         OR EXISTS (${OF_ROW_KEY})
         AS has`,
  );
  return Boolean(row?.has) || hasLogMacs(sql);
}

async function authenticateAll(sql: Sql, macs: RowMacs): Promise<number> {
  const controllers = await sql.all<Controller>(
    'SELECT controller_id AS "controllerId", sso_organisation AS "ssoOrganisation" FROM @controllers',
  );
  const clients = await sql.all<Client>(
    `SELECT client_id AS "clientId", controller_id AS "controllerId", revoked_time AS "revokedTime"
     FROM @clients`,
  );
  const secrets = await sql.all<ClientSecret>(
    `SELECT secret_id AS "secretId", client_id AS "clientId", digest, revoked_time AS "revokedTime"
     FROM @client_secrets`,
  );
  const releases = await sql.all<Release>(
    `SELECT task_no AS "taskNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", target, allowed_rows AS "allowedRows"
     FROM @tasks JOIN @all_requests AS requests USING (request_no)
     WHERE state <> 'erased' AND allowed_rows IS NOT NULL`,
  );
  const withMacs = (claims: readonly ClaimedRow[]) =>
    rowsOf(claims.map((claim) => ({ id: claim.id, mac: macs.compute(claim) })));
  const from = 'FROM json_to_recordset(:rows::json) AS it (id text, mac text)';
  await sql.run(
    `UPDATE @controllers SET mac = decode(it.mac, 'hex') ${from} WHERE controller_id = it.id`,
    { rows: withMacs(controllers.map(controllerClaim)) },
  );
  await sql.run(`UPDATE @clients SET mac = decode(it.mac, 'hex') ${from} WHERE client_id = it.id`, {
    rows: withMacs(clients.map(clientClaim)),
  });
  await sql.run(
    `UPDATE @client_secrets SET mac = decode(it.mac, 'hex') ${from} WHERE secret_id = it.id`,
    { rows: withMacs(secrets.map(secretClaim)) },
  );
  await sql.run(
    `UPDATE @tasks SET release_mac = decode(it.mac, 'hex') ${from} WHERE task_no = it.id::bigint`,
    { rows: withMacs(releases.map(releaseClaim)) },
  );
  return controllers.length + clients.length + secrets.length + releases.length;
}
