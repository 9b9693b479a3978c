// PostgreSQL remembers how its latest transactions ended: about the last 200 million, or more. Their numbers are used
// again by a server that is restored from a backup or promoted, so a name also says on which timeline it was given.
import type { TransactionEnd } from '../../domain/target/connector.ts';
import { SqlFailure, type SqlSession } from '../sql/session.ts';
import type { NamedTransactions } from '../sql/transactions/named-transactions.ts';

const PLACE = `
  (SELECT system_identifier FROM pg_catalog.pg_control_system())::text
  || ' ' || pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8)
  || ' ' || (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())::text`;
const STATUS = 'SELECT pg_catalog.pg_xact_status($1::pg_catalog.xid8) AS status';

export const postgresTransactions: NamedTransactions = {
  table: null,
  async canName(session) {
    try {
      await placeOf(session);
      await session.query(STATUS, ['3']);
      return true;
    } catch (error) {
      // Some services that are compatible with PostgreSQL do not have these functions.
      if (error instanceof SqlFailure) return false;
      throw error;
    }
  },
  async name(session) {
    const { rows } = await session.query(
      `SELECT pg_catalog.pg_current_xact_id()::text AS number, ${PLACE} AS place`,
    );
    return `${rows[0]?.number} ${rows[0]?.place}`;
  },
  ask(database, name) {
    const [number = '', ...place] = name.split(' ');
    return database.transaction('read', async (session): Promise<TransactionEnd> => {
      if ((await placeOf(session)) !== place.join(' ')) return 'unknown';
      const { rows } = await session.query(STATUS, [number]);
      const status = rows[0]?.status;
      if (status === 'in progress') return 'open';
      if (status === 'committed') return 'committed';
      // NULL: it is too old.
      return status === 'aborted' ? 'rolled_back' : 'unknown';
    });
  },
};

async function placeOf(session: SqlSession): Promise<unknown> {
  return (await session.query(`SELECT ${PLACE} AS place`)).rows[0]?.place;
}
