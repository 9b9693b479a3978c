// Counts what is sealed under a master key. This reads all sealed data, page by page: it is for commands
// and for the end of a rotation. The console counts only the first rows of each table.
import type { MasterKeyStore, SealedPlace } from '../../../domain/keys/key-ports.ts';
import { type Database, hex } from '../../sql.ts';
import { readSecrets } from './rewrap-keys.ts';

const PAGE = 100_000;

/** The column of the owner in each table, and which owners were already counted for an earlier table. */
const PLACES: readonly { place: SealedPlace; owner: string; isCounted: string }[] = [
  { place: 'sealed_identities', owner: 'request_no', isCounted: 'false' },
  {
    place: 'added_identities',
    owner: 'request_no',
    isCounted: `EXISTS (SELECT 1 FROM @sealed_identities AS s
      WHERE s.request_no = page.owner AND s.master_key_id = :masterKeyId)`,
  },
  // If the keys of an intent are lost, its task searches for the rows again: no request is lost.
  { place: 'intents', owner: 'task_no', isCounted: 'true' },
];

interface CountedPage {
  readonly things: number;
  readonly requests: number;
  readonly last: number | null;
  readonly owners: number;
}

export function createSealedUnder(database: Database): MasterKeyStore['sealedUnder'] {
  function readPage(
    { place, owner, isCounted }: (typeof PLACES)[number],
    values: { readonly after: number; readonly masterKeyId: string; readonly page: number },
  ) {
    return database.get<CountedPage>(
      `SELECT coalesce(sum(things), 0)::bigint AS things, max(owner) AS last, count(*) AS owners,
              count(*) FILTER (WHERE things > 0 AND NOT ${isCounted}) AS requests
       FROM (SELECT ${owner} AS owner, count(*) FILTER (WHERE master_key_id = :masterKeyId) AS things
             FROM @${place} WHERE ${owner} > :after GROUP BY ${owner} ORDER BY ${owner}
             LIMIT :page) AS page`,
      values,
    );
  }

  return async (masterKeyId, max) => {
    const total = { requests: 0, things: 0 };
    const page = max ?? PAGE;
    let capped = false;
    const list: string[] = [];
    for (const place of PLACES) {
      const before = total.things;
      for (let after: number | null = 0; after !== null; ) {
        const values = { after, masterKeyId, page };
        const read: CountedPage | undefined = await readPage(place, values);
        total.things += read?.things ?? 0;
        total.requests += read?.requests ?? 0;
        const isFull = read !== undefined && read.owners === page;
        if (isFull && max !== undefined) capped = true;
        after = isFull && max === undefined ? read.last : null;
      }
      const count = total.things - before;
      if (count > 0) list.push(`${count} in ${place.place}`);
    }
    const secrets = await readSecrets(database);
    const own = secrets.filter(({ sealed }) => masterKeyOf(sealed) === masterKeyId);
    list.push(...own.map(({ kind, name }) => `the ${kind} "${name}"`));
    return { ...total, list, things: total.things + own.length, capped };
  };
}

/** Our own secrets start with the id of their master key. */
function masterKeyOf(sealed: Uint8Array): string {
  return hex(sealed.subarray(0, 8));
}
