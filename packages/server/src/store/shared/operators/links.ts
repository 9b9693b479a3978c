import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  OperatorStore,
  Redemption,
  SignInLink,
} from '../../../domain/operator/sign-in-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { digestOf, linkClaim } from './claims.ts';
import { insertSession } from './sessions.ts';

interface LinkRow extends SignInLink {
  readonly usedTime: number | null;
  readonly mac: Uint8Array;
}

export function createOperatorLinks(
  database: Database,
  macs: RowMacs,
): Pick<OperatorStore, 'addLink' | 'redeemLink'> {
  /** Locks the row, so that of two concurrent attempts the second one sees that the link is used. */
  async function find(sql: Sql, digest: Uint8Array): Promise<LinkRow | undefined> {
    const row = await sql.get<LinkRow>(
      `SELECT name, role, created_time AS "createdTime", expires_time AS "expiresTime",
              used_time AS "usedTime", mac
       FROM @operator_links WHERE digest = :digest FOR UPDATE`,
      { digest },
    );
    return row !== undefined && macs.verifyOrReport(linkClaim(digest, row), row.mac)
      ? row
      : undefined;
  }

  return {
    addLink: (code, link, by) =>
      database.transaction(async (sql) => {
        const digest = digestOf(macs, 'operator link', code);
        const { name, role, createdTime, expiresTime } = link;
        const mac = macs.compute(linkClaim(digest, { ...link, usedTime: null }));
        await sql.run(
          `INSERT INTO @operator_links (digest, name, role, created_time, expires_time, mac)
           VALUES (:digest, :name, :role, :createdTime, :expiresTime, :mac)`,
          { digest, name, role, createdTime, expiresTime, mac },
        );
        await appendAudit(sql, [auditOf('operator.link_created', by, { name, role })]);
      }),
    redeemLink: (code, now, sessionFor) =>
      database.transaction(async (sql): Promise<Redemption> => {
        const digest = digestOf(macs, 'operator link', code);
        const link = await find(sql, digest);
        if (link === undefined) return { state: 'unknown' };
        if (link.usedTime !== null) return { state: 'used', name: link.name };
        if (link.expiresTime <= now) return { state: 'expired', name: link.name };
        const mac = macs.compute(linkClaim(digest, { ...link, usedTime: now }));
        await sql.run(
          'UPDATE @operator_links SET used_time = :now, mac = :mac WHERE digest = :digest',
          { now, mac, digest },
        );
        const session = sessionFor(link);
        await insertSession(sql, macs, session, {});
        return { state: 'redeemed', session };
      }),
  };
}
