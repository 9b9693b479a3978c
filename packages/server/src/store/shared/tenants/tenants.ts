import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { TenantStore } from '../../../domain/tenant/tenant-ports.ts';
import type {
  Client,
  ClientSecret,
  Controller,
  UsableSecret,
} from '../../../domain/tenant/tenants.ts';
import type { Database } from '../../sql.ts';
import { isStorable } from '../../stored-text.ts';

export const CONTROLLER = `
  SELECT controller_id AS "controllerId", name, sso_organisation AS "ssoOrganisation",
         created_time AS "createdTime"
  FROM @controllers`;
const CLIENT = `
  SELECT client_id AS "clientId", controller_id AS "controllerId", name,
         created_time AS "createdTime", revoked_time AS "revokedTime"
  FROM @clients`;

/** Ids and names come from outside: one that cannot be stored is not there. */
export function createTenantStore(database: Database): TenantStore {
  return {
    controllers: () => database.all<Controller>(`${CONTROLLER} ORDER BY controller_id`),
    controller: async (controllerId) =>
      isStorable(controllerId)
        ? database.get<Controller>(`${CONTROLLER} WHERE controller_id = :controllerId`, {
            controllerId,
          })
        : undefined,
    async controllerOfOrganisation(organisation) {
      if (!isStorable(organisation)) return undefined;
      const row = await database.get<{ controllerId: ControllerId }>(
        `SELECT controller_id AS "controllerId" FROM @controllers
         WHERE sso_organisation = :organisation`,
        { organisation },
      );
      return row?.controllerId;
    },
    clients: (controllerId) =>
      controllerId === undefined
        ? database.all<Client>(`${CLIENT} ORDER BY controller_id, created_time, client_id`)
        : database.all<Client>(
            `${CLIENT} WHERE controller_id = :controllerId ORDER BY created_time, client_id`,
            { controllerId },
          ),
    client: async (clientId) =>
      isStorable(clientId)
        ? database.get<Client>(`${CLIENT} WHERE client_id = :clientId`, { clientId })
        : undefined,
    secrets: (clientId) =>
      database.all<ClientSecret>(
        `SELECT secret_id AS "secretId", client_id AS "clientId", digest,
                created_time AS "createdTime", revoked_time AS "revokedTime"
         FROM @client_secrets WHERE client_id = :clientId ORDER BY created_time, secret_id`,
        { clientId },
      ),
    usableSecrets: async (clientId) =>
      isStorable(clientId)
        ? database.all<UsableSecret>(
            `SELECT c.controller_id AS "controllerId", s.secret_id AS "secretId", s.digest
             FROM @clients AS c JOIN @client_secrets AS s USING (client_id)
             WHERE c.client_id = :clientId AND c.revoked_time IS NULL AND s.revoked_time IS NULL`,
            { clientId },
          )
        : [],
    async mayUse(clientId, secretId) {
      const row = await database.get(
        `SELECT 1 AS one FROM @clients AS c
         WHERE c.client_id = :clientId AND c.revoked_time IS NULL
           AND (:secretId::text IS NULL OR EXISTS (
             SELECT 1 FROM @client_secrets AS s
             WHERE s.secret_id = :secretId AND s.client_id = c.client_id
               AND s.revoked_time IS NULL))`,
        { clientId, secretId },
      );
      return row !== undefined;
    },
  };
}
