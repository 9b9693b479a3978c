import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { TenantStore } from '../../domain/ports.ts';
import type { Client, ClientSecret, Controller, UsableSecret } from '../../domain/tenants.ts';

const CONTROLLER = `
  SELECT controller_id AS controllerId, name, sso_organisation AS ssoOrganisation,
         created_time AS createdTime
  FROM controllers`;
const CLIENT = `
  SELECT client_id AS clientId, controller_id AS controllerId, name, created_time AS createdTime,
         revoked_time AS revokedTime
  FROM clients`;

export function createTenantStore(database: DatabaseSync): TenantStore {
  const allControllers = database.prepare(`${CONTROLLER} ORDER BY controller_id`);
  const oneController = database.prepare(`${CONTROLLER} WHERE controller_id = ?`);
  const byOrganisation = database.prepare(
    'SELECT controller_id AS controllerId FROM controllers WHERE sso_organisation = ?',
  );
  const allClients = database.prepare(`${CLIENT} ORDER BY controller_id, created_time, client_id`);
  const clientsOf = database.prepare(
    `${CLIENT} WHERE controller_id = ? ORDER BY created_time, client_id`,
  );
  const oneClient = database.prepare(`${CLIENT} WHERE client_id = ?`);
  const secretsOf = database.prepare(`
    SELECT secret_id AS secretId, client_id AS clientId, digest, created_time AS createdTime,
           revoked_time AS revokedTime
    FROM client_secrets WHERE client_id = ? ORDER BY created_time, secret_id
  `);
  const usable = database.prepare(`
    SELECT c.controller_id AS controllerId, s.secret_id AS secretId, s.digest
    FROM clients c JOIN client_secrets s USING (client_id)
    WHERE c.client_id = ? AND c.revoked_time IS NULL AND s.revoked_time IS NULL
  `);
  const live = database.prepare(`
    SELECT 1 FROM clients c
    WHERE c.client_id = :client AND c.revoked_time IS NULL
      AND (:secret IS NULL OR EXISTS (
        SELECT 1 FROM client_secrets s
        WHERE s.secret_id = :secret AND s.client_id = c.client_id AND s.revoked_time IS NULL))
  `);

  return {
    controllers: async () => allControllers.all() as unknown as Controller[],
    controller: async (controllerId) => oneController.get(controllerId) as Controller | undefined,
    async controllerOfOrganisation(organisation) {
      const row = byOrganisation.get(organisation) as { controllerId: ControllerId } | undefined;
      return row?.controllerId;
    },
    clients: async (controllerId) =>
      (controllerId === undefined
        ? allClients.all()
        : clientsOf.all(controllerId)) as unknown as Client[],
    client: async (clientId) => oneClient.get(clientId) as Client | undefined,
    secrets: async (clientId) => secretsOf.all(clientId) as unknown as ClientSecret[],
    usableSecrets: async (clientId) => usable.all(clientId) as unknown as UsableSecret[],
    mayUse: async (clientId, secretId) =>
      live.get({ client: clientId, secret: secretId }) !== undefined,
  };
}
