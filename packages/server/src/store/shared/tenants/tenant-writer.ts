import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { TenantWriter } from '../../../domain/tenant/tenant-ports.ts';
import type { ClientSecret } from '../../../domain/tenant/tenants.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

interface Change {
  readonly action: AuditAction;
  readonly time: number;
  readonly actor: string;
  readonly controllerId: string | null;
  readonly detail: object | null;
}

function audit(sql: Sql, { action, time, actor, controllerId, detail }: Change): Promise<void> {
  return appendAudit(sql, [auditOf(action, { actor, now: time }, detail, controllerId)]);
}

async function insertSecret(sql: Sql, secret: ClientSecret): Promise<void> {
  const { secretId, clientId, digest, createdTime } = secret;
  await sql.run(
    `INSERT INTO @client_secrets (secret_id, client_id, digest, created_time)
     VALUES (:secretId, :clientId, :digest, :createdTime)`,
    { secretId, clientId, digest, createdTime },
  );
}

export function createTenantWriter(database: Database): TenantWriter {
  return {
    addController: ({ controllerId, name, ssoOrganisation, createdTime }, actor) =>
      database.transaction(async (sql) => {
        await sql.run(
          `INSERT INTO @controllers (controller_id, name, sso_organisation, created_time)
           VALUES (:controllerId, :name, :ssoOrganisation, :createdTime)`,
          { controllerId, name, ssoOrganisation, createdTime },
        );
        const action = 'controller.created';
        await audit(sql, { action, time: createdTime, actor, controllerId, detail: null });
      }),
    updateController: ({ controllerId, name, ssoOrganisation }, time, actor) =>
      database.transaction(async (sql) => {
        await sql.run(
          `UPDATE @controllers SET name = :name, sso_organisation = :ssoOrganisation
           WHERE controller_id = :controllerId`,
          { name, ssoOrganisation, controllerId },
        );
        const action = 'controller.updated';
        await audit(sql, { action, time, actor, controllerId, detail: null });
      }),
    addClient: ({ clientId, controllerId, name, createdTime }, secret, actor) =>
      database.transaction(async (sql) => {
        await sql.run(
          `INSERT INTO @clients (client_id, controller_id, name, created_time)
           VALUES (:clientId, :controllerId, :name, :createdTime)`,
          { clientId, controllerId, name, createdTime },
        );
        await insertSecret(sql, { ...secret, clientId });
        const detail = { client_id: clientId, secret_id: secret.secretId };
        const action = 'client.created';
        await audit(sql, { action, time: createdTime, actor, controllerId, detail });
      }),
    addSecret: (secret, actor) =>
      database.transaction(async (sql) => {
        const { secretId, clientId, createdTime } = secret;
        await insertSecret(sql, secret);
        const row = await sql.get<{ controllerId: string }>(
          'SELECT controller_id AS "controllerId" FROM @clients WHERE client_id = :clientId',
          { clientId },
        );
        const detail = { client_id: clientId, secret_id: secretId };
        const controllerId = row?.controllerId ?? null;
        const action = 'secret.created';
        await audit(sql, { action, time: createdTime, actor, controllerId, detail });
      }),
    revokeClient: (clientId, time, actor) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ controllerId: string }>(
          `UPDATE @clients SET revoked_time = :time
           WHERE client_id = :clientId AND revoked_time IS NULL
           RETURNING controller_id AS "controllerId"`,
          { time, clientId },
        );
        if (row === undefined) return;
        const detail = { client_id: clientId };
        await audit(sql, { action: 'client.revoked', time, actor, ...row, detail });
      }),
    revokeSecret: (secretId, time, actor) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ clientId: string; controllerId: string }>(
          `UPDATE @client_secrets SET revoked_time = :time
           WHERE secret_id = :secretId AND revoked_time IS NULL
           RETURNING client_id AS "clientId", (SELECT controller_id FROM @clients AS c
             WHERE c.client_id = client_secrets.client_id) AS "controllerId"`,
          { time, secretId },
        );
        if (row === undefined) return;
        const { clientId, controllerId } = row;
        const detail = { client_id: clientId, secret_id: secretId };
        await audit(sql, { action: 'secret.revoked', time, actor, controllerId, detail });
      }),
    recordToken({ clientId, controllerId }, time, actor) {
      const detail = { client_id: clientId };
      return audit(database, { action: 'token.issued', time, actor, controllerId, detail });
    },
  };
}
