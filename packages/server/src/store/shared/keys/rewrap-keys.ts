// Moves sealed data from one master key to another: only the wrapped keys change, not the data that they seal.
import type {
  KeyInPlace,
  MasterKeyStore,
  SealedPlace,
  StoredSecret,
  WrappedKey,
} from '../../../domain/keys/key-ports.ts';
import { type Database, rowsOf, type Sql } from '../../sql.ts';

const KEY_OF: Readonly<Record<SealedPlace, string>> = {
  sealed_identities: 'request_no',
  added_identities: 'added_no',
  intents: 'task_no',
};

/** Near the end of a rotation the next row to move may be far away: no statement reads more rows than this. */
const MAX_READ = 50_000;

/** Joins a row of each table to its request. */
const OWNER_OF: Readonly<Record<SealedPlace, string>> = {
  sealed_identities: 'LEFT JOIN @all_requests AS owner ON owner.request_no = place.request_no',
  added_identities: 'LEFT JOIN @all_requests AS owner ON owner.request_no = place.request_no',
  intents: `LEFT JOIN @tasks AS task ON task.task_no = place.task_no
       LEFT JOIN @all_requests AS owner ON owner.request_no = task.request_no`,
};

interface WrappedRow extends KeyInPlace {
  readonly no: number;
}

export function createRewrap(database: Database): MasterKeyStore['rewrap'] {
  return async (place, after, max, currentId, rewrap) => {
    const no = KEY_OF[place];
    const rows = await database.all<WrappedRow>(
      `SELECT page.no, place.master_key_id AS "masterKeyId", place.wrapped_key AS "wrappedKey",
              place.sealed, owner.controller_id AS "controllerId",
              owner.subject_request_id AS "subjectRequestId",
              ${place === 'intents' ? 'task.target' : 'NULL'} AS target
       FROM (SELECT no FROM (
           SELECT ${no} AS no, master_key_id AS id
           FROM @${place} WHERE ${no} > :after ORDER BY ${no} LIMIT ${MAX_READ}) AS near
         WHERE id <> :currentId ORDER BY no LIMIT :max) AS page
       JOIN @${place} AS place ON place.${no} = page.no
       ${OWNER_OF[place]} ORDER BY page.no`,
      { after, currentId, max },
    );
    await move(database, place, rows, rewrap);
    return rows.length < max ? endOfPage(database, place, after) : rows.at(-1)?.no;
  };
}

/** A row that another node is shredding or moving is left for the next round, so nothing waits. */
async function move(
  database: Database,
  place: SealedPlace,
  rows: readonly WrappedRow[],
  rewrap: (key: KeyInPlace) => WrappedKey | undefined,
): Promise<void> {
  const no = KEY_OF[place];
  const moved = rows.flatMap(({ no: number, ...key }) => {
    const again = rewrap(key);
    if (again === undefined) return [];
    const { masterKeyId, wrappedKey } = again;
    return [{ no: number, id: masterKeyId, wrapped: wrappedKey, before: key.wrappedKey }];
  });
  if (moved.length === 0) return;
  await database.run(
    `WITH moved AS MATERIALIZED (
       SELECT place.${no} AS no, it.id, decode(it.wrapped, 'hex') AS wrapped
       FROM json_to_recordset(:moved::json) AS it (no bigint, id text, wrapped text, before text)
       JOIN @${place} AS place
         ON place.${no} = it.no AND place.wrapped_key = decode(it.before, 'hex')
       ORDER BY place.${no} FOR UPDATE OF place SKIP LOCKED)
     UPDATE @${place} AS place SET master_key_id = moved.id, wrapped_key = moved.wrapped
     FROM moved WHERE place.${no} = moved.no`,
    { moved: rowsOf(moved) },
  );
}

/** Undefined if this is the last page of the table. */
async function endOfPage(
  database: Database,
  place: SealedPlace,
  after: number,
): Promise<number | undefined> {
  const no = KEY_OF[place];
  const row = await database.get<{ no: number }>(
    `SELECT ${no} AS no FROM @${place} WHERE ${no} > :after ORDER BY ${no}
     LIMIT 1 OFFSET ${MAX_READ - 1}`,
    { after },
  );
  return row?.no;
}

/** Prefix of the name of a secret that could not be decrypted. */
const SET_ASIDE = 'unreadable: ';

export function readSecrets(sql: Sql): Promise<StoredSecret[]> {
  return sql.all<StoredSecret>(
    `SELECT 'own secret' AS kind, name, sealed FROM @own_secrets
     WHERE name NOT LIKE '${SET_ASIDE}%'
     UNION ALL SELECT 'signing key', kid, sealed_private_key FROM @signing_keys
     WHERE revoked_time IS NULL`,
  );
}

export function createReplaceSecret(database: Database): MasterKeyStore['replaceSecret'] {
  const updates = {
    'own secret':
      'UPDATE @own_secrets SET sealed = :sealed WHERE name = :name AND sealed = :before',
    'signing key': `UPDATE @signing_keys SET sealed_private_key = :sealed
      WHERE kid = :name AND sealed_private_key = :before`,
  };
  return async ({ kind, name, sealed: before }, sealed) => {
    await database.run(updates[kind], { sealed, name, before });
  };
}

export function createSetAside(database: Database): MasterKeyStore['setAside'] {
  const updates = {
    'own secret': `UPDATE @own_secrets SET name = '${SET_ASIDE}' || :now || ' ' || name
      WHERE name = :name AND sealed = :before`,
    'signing key': `UPDATE @signing_keys SET revoked_time = :now::bigint,
        retired_time = coalesce(retired_time, :now::bigint)
      WHERE kid = :name AND sealed_private_key = :before`,
  };
  return async ({ kind, name, sealed: before }, now) => {
    const time = kind === 'own secret' ? new Date(now).toISOString() : now;
    await database.run(updates[kind], { name, before, now: time });
  };
}
