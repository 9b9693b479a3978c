import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { EVERYTHING } from '../../src/domain/task/pause-ports.ts';
import { isPausedByLog } from '../../src/store/shared/tasks/logged-pauses.ts';
import { createPauseOperator } from '../../src/store/shared/tasks/pauses.ts';
import type { Database } from '../../src/store/sql.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { TEST_AUTHENTICATOR, withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const BY = { actor: 'operator:olga', now: 1000 };

async function makePaused() {
  const folder = makeTemporaryFolder();
  const store = withTestMacs(openSqliteStore(folder.path, () => BY.now));
  const connection = new DatabaseSync(store.databasePath);
  const database = databaseOn(connection);
  const refused: unknown[] = [];
  database.rowMacs.setKey(TEST_AUTHENTICATOR, (row, why) => refused.push([row, why]));
  onTestFinished(async () => {
    connection.close();
    await store.close();
    folder.remove();
  });
  const operator = createPauseOperator(database);
  await operator.pause(EVERYTHING, BY);
  return { database, operator, connection, refused };
}

it('a pause whose row was deleted holds, and is reported', async () => {
  const { database, connection, refused } = await makePaused();
  expect(await isPausedByLog(database, 'crm')).toBe(true);
  expect(refused).toEqual([]);
  connection.exec('DELETE FROM brakes');
  expect(await isPausedByLog(database, 'crm')).toBe(true);
  expect(refused).toEqual([[{ kind: 'pause', id: EVERYTHING }, 'no operator has resumed it']]);
});

it('a pause that an operator ends while the log is read is not reported as deleted', async () => {
  const { database, operator, refused } = await makePaused();
  let isFirst = true;
  const resumedMeanwhile: Database = {
    ...database,
    async all<Row>(...query: Parameters<Database['all']>) {
      const rows = await database.all<Row>(...query);
      if (isFirst) {
        isFirst = false;
        await operator.resume(EVERYTHING, BY);
      }
      return rows;
    },
  };
  expect(await isPausedByLog(resumedMeanwhile, 'crm')).toBe(false);
  expect(refused).toEqual([]);
});
