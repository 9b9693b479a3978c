import type { DatabaseSync } from 'node:sqlite';
import type { AuditAction } from '../../domain/audit-row.ts';
import type { TenantWriter } from '../../domain/ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { inTransaction } from './transaction.ts';

export function createTenantWriter(database: DatabaseSync): TenantWriter {
  const appendAudit = prepareAppendAudit(database);
  const insertController = database.prepare(
    'INSERT INTO controllers (controller_id, name, sso_organisation, created_time) VALUES (?, ?, ?, ?)',
  );
  const updateController = database.prepare(
    'UPDATE controllers SET name = ?, sso_organisation = ? WHERE controller_id = ?',
  );
  const insertClient = database.prepare(
    'INSERT INTO clients (client_id, controller_id, name, created_time) VALUES (?, ?, ?, ?)',
  );
  const insertSecret = database.prepare(
    'INSERT INTO client_secrets (secret_id, client_id, digest, created_time) VALUES (?, ?, ?, ?)',
  );
  const revokeClient = database.prepare(
    'UPDATE clients SET revoked_time = ? WHERE client_id = ? AND revoked_time IS NULL RETURNING controller_id',
  );
  const revokeSecret = database.prepare(`
    UPDATE client_secrets SET revoked_time = ? WHERE secret_id = ? AND revoked_time IS NULL
    RETURNING client_id, (SELECT controller_id FROM clients c WHERE c.client_id = client_secrets.client_id) AS controller_id
  `);
  const controllerOf = database.prepare('SELECT controller_id FROM clients WHERE client_id = ?');

  function audit(
    action: AuditAction,
    time: number,
    actor: string,
    controllerId: string | null,
    detail: Record<string, unknown> | null,
  ): void {
    appendAudit({
      time,
      actor,
      action,
      controllerId,
      subjectRequestId: null,
      detail: detail === null ? null : JSON.stringify(detail),
    });
  }

  return {
    async addController(controller, actor) {
      const { controllerId, name, ssoOrganisation, createdTime } = controller;
      inTransaction(database, () => {
        insertController.run(controllerId, name, ssoOrganisation, createdTime);
        audit('controller.created', createdTime, actor, controllerId, null);
      });
    },
    async updateController({ controllerId, name, ssoOrganisation }, time, actor) {
      inTransaction(database, () => {
        updateController.run(name, ssoOrganisation, controllerId);
        audit('controller.updated', time, actor, controllerId, null);
      });
    },
    async addClient(client, secret, actor) {
      const { clientId, controllerId, name, createdTime } = client;
      inTransaction(database, () => {
        insertClient.run(clientId, controllerId, name, createdTime);
        insertSecret.run(secret.secretId, clientId, secret.digest, secret.createdTime);
        audit('client.created', createdTime, actor, controllerId, {
          client_id: clientId,
          secret_id: secret.secretId,
        });
      });
    },
    async addSecret({ secretId, clientId, digest, createdTime }, actor) {
      inTransaction(database, () => {
        insertSecret.run(secretId, clientId, digest, createdTime);
        const row = controllerOf.get(clientId) as { controller_id: string };
        audit('secret.created', createdTime, actor, row.controller_id, {
          client_id: clientId,
          secret_id: secretId,
        });
      });
    },
    async revokeClient(clientId, time, actor) {
      inTransaction(database, () => {
        const row = revokeClient.get(time, clientId) as { controller_id: string } | undefined;
        if (row === undefined) return;
        audit('client.revoked', time, actor, row.controller_id, { client_id: clientId });
      });
    },
    async revokeSecret(secretId, time, actor) {
      inTransaction(database, () => {
        const row = revokeSecret.get(time, secretId) as
          | { client_id: string; controller_id: string }
          | undefined;
        if (row === undefined) return;
        audit('secret.revoked', time, actor, row.controller_id, {
          client_id: row.client_id,
          secret_id: secretId,
        });
      });
    },
    async recordToken({ clientId, controllerId }, time, actor) {
      audit('token.issued', time, actor, controllerId, { client_id: clientId });
    },
  };
}
