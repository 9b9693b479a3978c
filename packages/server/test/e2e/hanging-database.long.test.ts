// A database that hangs or refuses: the others go on, an operator sees it, and when it is back
// everything goes on by itself.
import { beforeEach, describe, expect, it } from 'vitest';
import { freshPostgres, hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { startFaultyWay } from '../helpers/faulty-way.ts';
import { PATIENCE, PEOPLE, useGoodTarget } from './beside-good-target.ts';
import { emailOf, expectedChecksums, fillShop, readChecksums, shopTarget } from './set-up/shop.ts';
import { POSTGRES, type ShopDatabase } from './set-up/shop-database.ts';
import { ACME, SMALL } from './set-up/use-shop-installation.ts';

const QUICK = 'statement_timeout: 2s\n    lock_timeout: 1s';
const beside = useGoodTarget();

describe.skipIf(!(await hasPostgres()))('a PostgreSQL target', { timeout: PATIENCE }, () => {
  let shop: ShopDatabase;
  let url: URL;

  beforeEach(async () => {
    const { url: address, query, close } = await freshPostgres();
    url = new URL(address);
    shop = { address: `connector: postgres\n    url: ${address}`, query, close };
    beside.closeAfter(close);
    await fillShop(POSTGRES, shop, SMALL);
  });

  const shopBy = (changed: URL) =>
    shopTarget({ address: `connector: postgres\n    url: ${changed.href}` }, QUICK);

  async function expectErased(): Promise<void> {
    expect(await readChecksums(shop)).toEqual(expectedChecksums(SMALL, new Set(PEOPLE)));
  }

  it('if somebody locks a row, only its request waits, and only as long as the lock', async () => {
    await shop.query(`BEGIN; UPDATE customers SET name = name WHERE id = ${PEOPLE[0]}`);
    await beside.install(shopBy(url));
    const ids = await beside.submitAll();
    const [stuck = '', ...others] = ids;
    await beside.unwrite().untilCompleted(ACME, others);
    await beside.untilSeen([stuck], 'shop', /^lock_timeout$/);
    expect(await beside.attention()).toHaveLength(1);
    await beside.expectInProgress([stuck]);
    await shop.query('COMMIT');
    await beside.expectAllCompleted(ids);
    await expectErased();
  });

  it('a server that accepts connections and never answers is given up after ten seconds', async () => {
    const way = await startFaultyWay(Number(url.port));
    beside.closeAfter(way.close);
    url.port = String(way.port);
    await beside.install(shopBy(url));
    const ids = await beside.submitAll();
    await beside.untilGoodIsDone();
    await beside.untilSeen(ids, 'shop', /timeout|unreachable/);
    await beside.expectInProgress(ids);
    way.pass();
    await beside.expectAllCompleted(ids);
    await expectErased();
  });

  it('a server that stops answering on an open connection is given up after its timeouts', async () => {
    const way = await startFaultyWay(Number(url.port));
    beside.closeAfter(way.close);
    way.pass();
    url.port = String(way.port);
    await beside.install(shopBy(url));
    const first = await beside.unwrite().submit(ACME, [['email', emailOf(18)]]);
    await beside.unwrite().untilCompleted(ACME, [first]);
    way.hang();
    const id = await beside.unwrite().submit(ACME, [['email', emailOf(0)]]);
    await beside.untilSeen([id], 'shop', /^timeout$/);
    await beside.expectInProgress([id]);
    way.pass();
    await beside.unwrite().untilCompleted(ACME, [id]);
    expect(await readChecksums(shop)).toEqual(expectedChecksums(SMALL, new Set([0, 18])));
  });

  it('a server without free connections is tried again until it has one', async () => {
    const role = `limited_${url.pathname.slice(1)}`;
    await shop.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 0`);
    await shop.query(`GRANT SELECT, DELETE, UPDATE ON customers, orders TO ${role}`);
    beside.closeAfter(async () => {
      await shop.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });
    url.username = role;
    await beside.install(shopBy(url));
    const ids = await beside.submitAll();
    await beside.untilGoodIsDone();
    await beside.untilSeen(ids, 'shop', /^too_many_connections$/);
    await beside.expectInProgress(ids);
    await shop.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    await beside.expectAllCompleted(ids);
    await expectErased();
  });
});
