// To run: copy into packages/server/test/connectors/check/.
// Found: hand-written SQL over a MyISAM table. `erase` changes 2 rows where `preview` counts 1, so the
// transaction is "rolled back" (it cannot be), looked at once more, finds 0 of 0, and answers `erased, {}`:
// Joe's row is gone and the request completes. Neither the gate nor the check says a word. The same for a
// system-versioned table: erased, verified, and the history keeps the person.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { StatementsWork } from '../../../src/domain/target/target.ts';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { aTarget, connect } from '../sql/sql-target.ts';
import { jane, passOrRefuse } from '../sql/use-sql-target.ts';
import { type CheckedTarget, makeTarget } from './checked-target.ts';

const COUNT = 'SELECT count(*) FROM people WHERE email = :email';
const work = (erase: string): StatementsWork => ({
  kind: 'statements',
  preview: COUNT,
  erase: [erase],
  verify: COUNT,
});

describe.skipIf(!(await hasMariadb()))('hand-written SQL', () => {
  let target: CheckedTarget;
  let connector: Connector;
  beforeEach(async () => {
    target = await makeTarget('mysql');
  });
  afterEach(async () => {
    await connector.close();
    await target.close();
  });
  async function open(storage: string, erase: string): Promise<Connector> {
    await target.run(`
      CREATE TABLE people (id int PRIMARY KEY, email varchar(190)) ${storage};
      INSERT INTO people VALUES (1, 'jane@example.com'), (2, 'joe@example.com')`);
    connector = connect(aTarget({ connector: 'mysql', address: target.url }, work(erase)));
    return connector;
  }

  it('is not run on tables without transactions: what it changed could not be taken back', async () => {
    await open('ENGINE = MyISAM', 'DELETE FROM people WHERE email = :email OR id = 2');
    const erasure = await passOrRefuse(connector, jane());
    expect(await target.run('SELECT id FROM people ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(erasure).not.toMatchObject({ outcome: 'erased' });
  });

  it.each([
    ['without transactions', 'ENGINE = MyISAM', undefined],
    ['with a history', 'WITH SYSTEM VERSIONING', 'history:people'],
  ])('is refused at the gate over tables %s', async (_, storage, finding) => {
    await open(storage, 'DELETE FROM people WHERE email = :email');
    const report = await connector.gate?.();
    expect(report?.problems.map((problem) => problem.finding)).toEqual([finding]);
  });
});
