import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import {
  clientClaim,
  controllerClaim,
  type RowMacs,
  secretClaim,
} from '../../../domain/keys/row-macs.ts';
import type { TenantWriter } from '../../../domain/tenant/tenant-ports.ts';
import {
  type Client,
  type ClientSecret,
  type Controller,
  isClosed,
} from '../../../domain/tenant/tenants.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

interface Change {
  readonly action: AuditAction;
  readonly time: number;
  readonly actor: string;
  readonly controllerId: string | null;
  readonly detail: object | null;
}

interface RevokedSecret extends Pick<ClientSecret, 'clientId' | 'digest'> {
  readonly controllerId: string;
}

function audit(sql: Sql, { action, time, actor, controllerId, detail }: Change): Promise<void> {
  return appendAudit(sql, [auditOf(action, { actor, now: time }, detail, controllerId)]);
}

export function createTenantWriter(database: Database, macs: RowMacs): TenantWriter {
  async function insertSecret(sql: Sql, secret: ClientSecret): Promise<void> {
    const { secretId, clientId, digest, createdTime } = secret;
    const mac = macs.compute(secretClaim({ ...secret, revokedTime: null }));
    await sql.run(
      `INSERT INTO @client_secrets (secret_id, client_id, digest, created_time, mac)
       VALUES (:secretId, :clientId, :digest, :createdTime, :mac)`,
      { secretId, clientId, digest, createdTime, mac },
    );
  }

  async function revokeClient(
    sql: Sql,
    clientId: string,
    time: number,
    actor: string,
  ): Promise<void> {
    const row = await sql.get<Pick<Client, 'controllerId'>>(
      `SELECT controller_id AS "controllerId" FROM @clients
       WHERE client_id = :clientId AND revoked_time IS NULL FOR UPDATE`,
      { clientId },
    );
    if (row === undefined) return;
    const mac = macs.compute(clientClaim({ clientId, ...row, revokedTime: time }));
    await sql.run(
      'UPDATE @clients SET revoked_time = :time, mac = :mac WHERE client_id = :clientId',
      { time, mac, clientId },
    );
    const detail = { client_id: clientId };
    await audit(sql, { action: 'client.revoked', time, actor, ...row, detail });
  }

  /** A client that is added while its controller is closed waits for that, and is refused. */
  async function requireOpen(sql: Sql, controllerId: string): Promise<void> {
    const open = await sql.get(
      `SELECT 1 AS one FROM @controllers
       WHERE controller_id = :controllerId AND closed_time IS NULL FOR UPDATE`,
      { controllerId },
    );
    if (open === undefined) throw isClosed(controllerId);
  }

  return {
    addController: ({ controllerId, name, ssoOrganisation, createdTime }, actor) =>
      database.transaction(async (sql) => {
        await sql.run(
          `INSERT INTO @controllers (controller_id, name, sso_organisation, created_time, mac)
           VALUES (:controllerId, :name, :ssoOrganisation, :createdTime, :mac)`,
          {
            controllerId,
            name,
            ssoOrganisation,
            createdTime,
            mac: macs.compute(controllerClaim({ controllerId, ssoOrganisation })),
          },
        );
        const action = 'controller.created';
        await audit(sql, { action, time: createdTime, actor, controllerId, detail: null });
      }),
    updateController: (
      { controllerId, name, ssoOrganisation, closedTime = null },
      before,
      time,
      actor,
    ) =>
      database.transaction(async (sql) => {
        const updated = await sql.run(
          `UPDATE @controllers SET name = :name, sso_organisation = :ssoOrganisation, mac = :mac
           WHERE controller_id = :controllerId AND name IS NOT DISTINCT FROM :nameBefore::text
             AND sso_organisation IS NOT DISTINCT FROM :organisationBefore::text
             AND closed_time IS NOT DISTINCT FROM :closedTime::bigint`,
          {
            closedTime,
            name,
            ssoOrganisation,
            controllerId,
            nameBefore: before.name,
            organisationBefore: before.ssoOrganisation,
            mac: macs.compute(controllerClaim({ controllerId, ssoOrganisation, closedTime })),
          },
        );
        if (updated === 0) return false;
        const action = 'controller.updated';
        await audit(sql, { action, time, actor, controllerId, detail: null });
        return true;
      }),
    addClient: ({ clientId, controllerId, name, createdTime }, secret, actor) =>
      database.transaction(async (sql) => {
        await requireOpen(sql, controllerId);
        await sql.run(
          `INSERT INTO @clients (client_id, controller_id, name, created_time, mac)
           VALUES (:clientId, :controllerId, :name, :createdTime, :mac)`,
          {
            clientId,
            controllerId,
            name,
            createdTime,
            mac: macs.compute(clientClaim({ clientId, controllerId, revokedTime: null })),
          },
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
    closeController: (controllerId, reason, time, actor) =>
      database.transaction(async (sql) => {
        const row = await sql.get<Pick<Controller, 'ssoOrganisation'>>(
          `SELECT sso_organisation AS "ssoOrganisation" FROM @controllers
           WHERE controller_id = :controllerId AND closed_time IS NULL FOR UPDATE`,
          { controllerId },
        );
        if (row === undefined) return false;
        const mac = macs.compute(controllerClaim({ controllerId, ...row, closedTime: time }));
        await sql.run(
          `UPDATE @controllers SET closed_time = :time, mac = :mac
           WHERE controller_id = :controllerId`,
          { controllerId, time, mac },
        );
        const clients = await sql.all<Pick<Client, 'clientId'>>(
          `SELECT client_id AS "clientId" FROM @clients
           WHERE controller_id = :controllerId AND revoked_time IS NULL ORDER BY client_id`,
          { controllerId },
        );
        for (const { clientId } of clients) await revokeClient(sql, clientId, time, actor);
        const detail = { reason };
        await audit(sql, { action: 'controller.closed', time, actor, controllerId, detail });
        return true;
      }),
    revokeClient: (clientId, time, actor) =>
      database.transaction((sql) => revokeClient(sql, clientId, time, actor)),
    revokeSecret: (secretId, time, actor) =>
      database.transaction(async (sql) => {
        const row = await sql.get<RevokedSecret>(
          `SELECT client_id AS "clientId", digest, (SELECT controller_id FROM @clients AS c
             WHERE c.client_id = client_secrets.client_id) AS "controllerId"
           FROM @client_secrets WHERE secret_id = :secretId AND revoked_time IS NULL FOR UPDATE`,
          { secretId },
        );
        if (row === undefined) return;
        const { clientId, controllerId, digest } = row;
        const mac = macs.compute(secretClaim({ secretId, clientId, digest, revokedTime: time }));
        await sql.run(
          'UPDATE @client_secrets SET revoked_time = :time, mac = :mac WHERE secret_id = :secretId',
          { time, mac, secretId },
        );
        const detail = { client_id: clientId, secret_id: secretId };
        await audit(sql, { action: 'secret.revoked', time, actor, controllerId, detail });
      }),
    recordToken({ clientId, controllerId }, time, actor) {
      const detail = { client_id: clientId };
      return audit(database, { action: 'token.issued', time, actor, controllerId, detail });
    },
  };
}
