import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  OperatorStore,
  StoredOperatorClient,
} from '../../../domain/operator/sign-in-ports.ts';
import type { Database } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { digestOf, operatorClientClaim } from './claims.ts';

const CLIENT = `
  SELECT client_id AS "clientId", digest, name, role, created_time AS "createdTime",
         expires_time AS "expiresTime", revoked_time AS "revokedTime", mac
  FROM @operator_clients`;

interface ClientRow extends StoredOperatorClient {
  readonly digest: Uint8Array;
  readonly mac: Uint8Array;
}

export function createOperatorClients(
  writer: Database,
  reader: Database,
  macs: RowMacs,
): Pick<OperatorStore, 'addClient' | 'client' | 'clients' | 'revokeClient'> {
  const isAuthentic = ({ mac, digest, ...client }: ClientRow) =>
    macs.verifyOrReport(operatorClientClaim(digest, client), mac);
  const plain = ({ mac: _, digest: __, ...client }: ClientRow): StoredOperatorClient => client;

  return {
    addClient: (token, client, by) =>
      writer.transaction(async (sql) => {
        const digest = digestOf(macs, 'operator client', token);
        const { clientId, name, role, createdTime, expiresTime } = client;
        await sql.run(
          `INSERT INTO @operator_clients
             (client_id, digest, name, role, created_time, expires_time, mac)
           VALUES (:clientId, :digest, :name, :role, :createdTime, :expiresTime, :mac)`,
          {
            clientId,
            digest,
            name,
            role,
            createdTime,
            expiresTime,
            mac: macs.compute(operatorClientClaim(digest, { ...client, revokedTime: null })),
          },
        );
        const detail = { operator_client_id: clientId, name, role };
        await appendAudit(sql, [auditOf('operator_client.created', by, detail)]);
      }),
    async client(token) {
      const digest = digestOf(macs, 'operator client', token);
      const row = await reader.get<ClientRow>(`${CLIENT} WHERE digest = :digest`, { digest });
      return row !== undefined && isAuthentic(row) ? plain(row) : undefined;
    },
    clients: async () =>
      (await reader.all<ClientRow>(`${CLIENT} ORDER BY created_time, client_id`))
        .filter(isAuthentic)
        .map(plain),
    revokeClient: (clientId, by) =>
      writer.transaction(async (sql) => {
        const where = `${CLIENT} WHERE client_id = :clientId FOR UPDATE`;
        const row = await sql.get<ClientRow>(where, { clientId });
        if (row === undefined || !isAuthentic(row)) return 'unknown';
        if (row.revokedTime !== null) return 'before';
        const revoked = { ...plain(row), revokedTime: by.now };
        const mac = macs.compute(operatorClientClaim(row.digest, revoked));
        await sql.run(
          'UPDATE @operator_clients SET revoked_time = :now, mac = :mac WHERE client_id = :clientId',
          { now: by.now, mac, clientId },
        );
        const detail = { operator_client_id: clientId, name: row.name };
        await appendAudit(sql, [auditOf('operator_client.revoked', by, detail)]);
        return 'revoked';
      }),
  };
}
