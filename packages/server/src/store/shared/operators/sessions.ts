import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  NewSession,
  OperatorStore,
  StoredSession,
} from '../../../domain/operator/sign-in-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { digestOf, sessionClaim } from './claims.ts';

const SESSION = `
  SELECT digest, session_id AS "sessionId", name, role, way, basis, browser,
         created_time AS "createdTime", used_time AS "usedTime", expires_time AS "expiresTime", mac
  FROM @operator_sessions`;

interface SessionRow extends StoredSession {
  readonly digest: Uint8Array;
  readonly mac: Uint8Array;
}

/** Also writes the audit row of the sign-in, in the caller's transaction. */
export async function insertSession(
  sql: Sql,
  macs: RowMacs,
  { secret, ...session }: NewSession,
  how: object,
): Promise<void> {
  const digest = digestOf(macs, 'operator session', secret);
  await sql.run(
    `INSERT INTO @operator_sessions (digest, session_id, name, role, way, basis, browser,
       created_time, used_time, expires_time, mac)
     VALUES (:digest, :sessionId, :name, :role, :way, :basis, :browser,
       :createdTime, :usedTime, :expiresTime, :mac)`,
    { ...session, digest, mac: macs.compute(sessionClaim(digest, session)) },
  );
  const { sessionId, name, role, way, createdTime } = session;
  const by = { actor: `operator:${name}`, now: createdTime };
  const detail = { session_id: sessionId, role, way, ...how };
  await appendAudit(sql, [auditOf('operator.signed_in', by, detail)]);
}

export function createOperatorSessions(
  writer: Database,
  reader: Database,
  macs: RowMacs,
): Pick<
  OperatorStore,
  'addSession' | 'session' | 'useSession' | 'sessions' | 'endSession' | 'removeExpired'
> {
  const authentic = (rows: readonly SessionRow[]): StoredSession[] =>
    rows.flatMap(({ digest, mac, ...session }) =>
      macs.verifyOrReport(sessionClaim(digest, session), mac) ? [session] : [],
    );

  return {
    addSession: (session, how) =>
      writer.transaction((sql) => insertSession(sql, macs, session, how)),
    async session(secret) {
      const digest = digestOf(macs, 'operator session', secret);
      return authentic(await reader.all(`${SESSION} WHERE digest = :digest`, { digest }))[0];
    },
    async useSession(secret, session, now) {
      const digest = digestOf(macs, 'operator session', secret);
      const mac = macs.compute(sessionClaim(digest, { ...session, usedTime: now }));
      await writer.run(
        'UPDATE @operator_sessions SET used_time = :now, mac = :mac WHERE digest = :digest',
        { now, mac, digest },
      );
    },
    sessions: async (name) =>
      authentic(
        name === undefined
          ? await reader.all(`${SESSION} ORDER BY created_time DESC, session_id`)
          : await reader.all(
              `${SESSION} WHERE name = :name ORDER BY created_time DESC, session_id`,
              { name },
            ),
      ),
    endSession: (sessionId, by) =>
      writer.transaction(async (sql) => {
        const row = await sql.get<{ name: string }>(
          'SELECT name FROM @operator_sessions WHERE session_id = :sessionId FOR UPDATE',
          { sessionId },
        );
        if (row === undefined) return false;
        await sql.run('DELETE FROM @operator_sessions WHERE session_id = :sessionId', {
          sessionId,
        });
        const detail = { session_id: sessionId, name: row.name };
        await appendAudit(sql, [auditOf('operator.signed_out', by, detail)]);
        return true;
      }),
    async removeExpired(now, idleMs) {
      await writer.run(
        `DELETE FROM @operator_sessions WHERE expires_time <= :now OR used_time <= :idleSince`,
        { now, idleSince: now - idleMs },
      );
      await writer.run('DELETE FROM @operator_links WHERE expires_time <= :before', {
        before: now - LINK_KEPT_MS,
      });
    },
  };
}

/** Until then, an old link is answered with the reason why it does not work. */
const LINK_KEPT_MS = 86_400_000;
