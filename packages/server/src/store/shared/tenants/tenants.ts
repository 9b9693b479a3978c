// Reads controllers, clients and secrets: only rows with a valid MAC (domain/keys/row-macs.ts).
import {
  clientClaim,
  controllerClaim,
  type RowMacs,
  secretClaim,
} from '../../../domain/keys/row-macs.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { TenantStore } from '../../../domain/tenant/tenant-ports.ts';
import type { Client, ClientSecret, Controller } from '../../../domain/tenant/tenants.ts';
import type { Database } from '../../sql.ts';
import { isStorable } from '../../stored-text.ts';

type WithMac<T> = T & { readonly mac: Uint8Array | null };

const CONTROLLER = `
  SELECT controller_id AS "controllerId", name, sso_organisation AS "ssoOrganisation",
         created_time AS "createdTime", closed_time AS "closedTime", mac
  FROM @controllers`;
const CLIENT = `
  SELECT client_id AS "clientId", controller_id AS "controllerId", name,
         created_time AS "createdTime", revoked_time AS "revokedTime", mac
  FROM @clients`;
const SECRET = `
  SELECT secret_id AS "secretId", client_id AS "clientId", digest,
         created_time AS "createdTime", revoked_time AS "revokedTime", mac
  FROM @client_secrets`;

/** Ids and names come from outside: a text that cannot be stored cannot be found. */
export function createTenantStore(database: Database, macs: RowMacs): TenantStore {
  const controllersIn = (rows: readonly WithMac<Controller>[]): Controller[] =>
    rows.flatMap(({ mac, ...row }) =>
      macs.verifyOrReport(controllerClaim(row), mac) ? [row] : [],
    );
  const clientsIn = (rows: readonly WithMac<Client>[]): Client[] =>
    rows.flatMap(({ mac, ...row }) => (macs.verifyOrReport(clientClaim(row), mac) ? [row] : []));
  const secretsIn = (rows: readonly WithMac<ClientSecret>[]): ClientSecret[] =>
    rows.flatMap(({ mac, ...row }) => (macs.verifyOrReport(secretClaim(row), mac) ? [row] : []));

  async function client(clientId: string): Promise<Client | undefined> {
    if (!isStorable(clientId)) return undefined;
    const where = `${CLIENT} WHERE client_id = :clientId`;
    return clientsIn(await database.all(where, { clientId }))[0];
  }

  async function usable(clientId: string): Promise<{
    readonly controllerId: ControllerId | undefined;
    readonly secrets: readonly ClientSecret[];
  }> {
    if (!isStorable(clientId)) return { controllerId: undefined, secrets: [] };
    const rows = await database.all<UsableRow>(
      `SELECT c.controller_id AS "controllerId", c.mac AS "clientMac", s.secret_id AS "secretId",
              s.client_id AS "clientId", s.digest, s.created_time AS "createdTime",
              s.revoked_time AS "revokedTime", s.mac
       FROM @clients AS c LEFT JOIN @client_secrets AS s
         ON s.client_id = c.client_id AND s.revoked_time IS NULL
       WHERE c.client_id = :clientId AND c.revoked_time IS NULL`,
      { clientId },
    );
    const [first] = rows;
    if (first === undefined) return { controllerId: undefined, secrets: [] };
    const { controllerId, clientMac } = first;
    if (
      !macs.verifyOrReport(clientClaim({ clientId, controllerId, revokedTime: null }), clientMac)
    ) {
      return { controllerId: undefined, secrets: [] };
    }
    const secrets = rows.flatMap(({ secretId, digest, createdTime, mac }) =>
      secretId === null || digest === null || createdTime === null
        ? []
        : [{ secretId, clientId, digest, createdTime, revokedTime: null, mac }],
    );
    return { controllerId, secrets: secretsIn(secrets) };
  }

  return {
    controllers: async () =>
      controllersIn(await database.all(`${CONTROLLER} ORDER BY controller_id`)),
    controller: async (controllerId) =>
      isStorable(controllerId)
        ? controllersIn(
            await database.all(`${CONTROLLER} WHERE controller_id = :controllerId`, {
              controllerId,
            }),
          )[0]
        : undefined,
    async controllerOfOrganisation(organisation) {
      if (!isStorable(organisation)) return undefined;
      const rows = await database.all<WithMac<Controller>>(
        `${CONTROLLER} WHERE sso_organisation = :organisation`,
        { organisation },
      );
      return controllersIn(rows)[0]?.controllerId;
    },
    clients: async (controllerId) =>
      clientsIn(
        controllerId === undefined
          ? await database.all(`${CLIENT} ORDER BY controller_id, created_time, client_id`)
          : await database.all(
              `${CLIENT} WHERE controller_id = :controllerId ORDER BY created_time, client_id`,
              { controllerId },
            ),
      ),
    client,
    secrets: async (clientId) =>
      secretsIn(
        await database.all(
          `${SECRET} WHERE client_id = :clientId ORDER BY created_time, secret_id`,
          { clientId },
        ),
      ),
    async usableSecrets(clientId) {
      const { controllerId, secrets } = await usable(clientId);
      if (controllerId === undefined) return [];
      return secrets.map(({ secretId, digest }) => ({ controllerId, secretId, digest }));
    },
    async mayUse(clientId, secretId) {
      const { controllerId, secrets } = await usable(clientId);
      if (controllerId === undefined) return false;
      return secretId === null || secrets.some((secret) => secret.secretId === secretId);
    },
  };
}

/** The secret's columns are null if the client has no usable secret. */
interface UsableRow {
  readonly controllerId: ControllerId;
  readonly clientMac: Uint8Array | null;
  readonly secretId: string | null;
  readonly digest: Uint8Array | null;
  readonly createdTime: number | null;
  readonly mac: Uint8Array | null;
}
