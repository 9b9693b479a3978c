// Moving what is sealed from one master key to another: only the wrapped keys change, what they seal
// stays as it is.
import type {
  MasterKeyStore,
  SealedPlace,
  StoredSecret,
  WrappedKey,
} from '../../domain/key-ports.ts';
import type { Database, Sql } from './database.ts';

const KEY_OF: Readonly<Record<SealedPlace, string>> = {
  sealed_identities: 'request_no',
  added_identities: 'added_no',
  intents: 'task_no',
};

/** Where nearly all are moved, the next one may be far away: nobody looks further than this at once. */
const MOST_READ = 50_000;

interface WrappedRow extends WrappedKey {
  readonly no: number;
}

export function createRewrap(database: Database): MasterKeyStore['rewrap'] {
  return async (place, after, most, currentId, rewrap) => {
    const no = KEY_OF[place];
    const rows = await database.all<WrappedRow>(
      `SELECT no, "masterKeyId", "wrappedKey" FROM (
         SELECT ${no} AS no, master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey"
         FROM @${place} WHERE ${no} > $1 ORDER BY ${no} LIMIT ${MOST_READ}) AS page
       WHERE "masterKeyId" <> $2 ORDER BY no LIMIT $3`,
      [after, currentId, most],
    );
    const moved = rows.map(({ no: _, ...key }) => rewrap(key));
    // One that somebody else is at, to shred it or to move it, is left to the next round: nobody waits.
    await database.run(
      `WITH moved AS MATERIALIZED (
         SELECT ${no} AS no, moved.id, moved.wrapped
         FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[])
           AS moved (no, id, wrapped, before)
         JOIN @${place} AS place ON place.${no} = moved.no AND place.wrapped_key = moved.before
         ORDER BY ${no} FOR UPDATE OF place SKIP LOCKED)
       UPDATE @${place} AS place SET master_key_id = moved.id, wrapped_key = moved.wrapped
       FROM moved WHERE place.${no} = moved.no`,
      [
        rows.map((row) => row.no),
        moved.map(({ masterKeyId }) => masterKeyId),
        moved.map(({ wrappedKey }) => wrappedKey),
        rows.map(({ wrappedKey }) => wrappedKey),
      ],
    );
    return rows.length < most ? endOfPage(database, place, after) : rows.at(-1)?.no;
  };
}

/** Undefined where the table ends with it. */
async function endOfPage(
  database: Database,
  place: SealedPlace,
  after: number,
): Promise<number | undefined> {
  const no = KEY_OF[place];
  const row = await database.one<{ no: number }>(
    `SELECT ${no} AS no FROM @${place} WHERE ${no} > $1 ORDER BY ${no}
     OFFSET ${MOST_READ - 1} LIMIT 1`,
    [after],
  );
  return row?.no;
}

export function readSecrets(sql: Sql): Promise<StoredSecret[]> {
  return sql.all<StoredSecret>(
    `SELECT 'own secret' AS kind, name, sealed FROM @own_secrets
     UNION ALL SELECT 'signing key', kid, sealed_private_key FROM @signing_keys`,
  );
}

export function createReplaceSecret(database: Database): MasterKeyStore['replaceSecret'] {
  const updates = {
    'own secret': 'UPDATE @own_secrets SET sealed = $1 WHERE name = $2 AND sealed = $3',
    'signing key':
      'UPDATE @signing_keys SET sealed_private_key = $1 WHERE kid = $2 AND sealed_private_key = $3',
  };
  return async ({ kind, name, sealed: before }, sealed) => {
    await database.run(updates[kind], [sealed, name, before]);
  };
}
