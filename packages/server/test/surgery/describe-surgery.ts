// Generated schemas, data, configurations and faults, judged by a model of ownership that does not know the
// connector. `npm run test:long -- surgery --cases N --seed S` plays more, and `--case` one again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMariadb, hasMysql } from '../helpers/databases/fresh-mariadb.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type CaseDatabase, openCaseDatabase } from './databases.ts';
import { DATABASES, type DatabaseName } from './generated-case.ts';
import { openFulfilment } from './open-fulfilment.ts';
import { playCases } from './play-cases.ts';

const { env } = process;
const SEED = Number(env.UNWRITE_TEST_SURGERY_SEED ?? 1);
const CASES = env.UNWRITE_TEST_SURGERY_CASES;
const ONE = env.UNWRITE_TEST_SURGERY_CASE;
const MAX_SHOWN = Number(env.UNWRITE_TEST_SURGERY_SHOWN ?? 1);
/** Of many cases, one reopens the store now and then. */
const CASES_A_STORE = 500;

const isThere: Record<DatabaseName, () => Promise<boolean>> = {
  sqlite: async () => true,
  postgres: hasPostgres,
  mariadb: async () => (await hasMariadb()) && !(await hasMysql()),
  mysql: hasMysql,
};

/** So many, where the environment does not say how many. */
export async function describeSurgery(usualCases: Record<DatabaseName, number>): Promise<void> {
  for (const name of DATABASES.filter(
    (one) => (env.UNWRITE_TEST_SURGERY_DATABASE ?? one) === one,
  )) {
    describe.skipIf(!(await isThere[name]()))(`generated cases on ${name}`, () => {
      let databases: readonly [CaseDatabase, CaseDatabase];
      beforeAll(async () => {
        databases = [await openCaseDatabase(name), await openCaseDatabase(name)];
      });
      afterAll(async () => {
        for (const database of databases.toReversed()) await database.close();
      });
      const all =
        ONE === undefined
          ? { first: 0, count: Number(CASES ?? usualCases[name]) }
          : { first: Number(ONE), count: 1 };

      for (let first = all.first; first < all.first + all.count; first += CASES_A_STORE) {
        const count = Math.min(CASES_A_STORE, all.first + all.count - first);
        const timeout = 60_000 + count * 2000;
        it(
          `harm nobody, tell no lie, and complete: ${first} to ${first + count - 1} of seed ${SEED}`,
          async () => {
            const fulfilment = await openFulfilment();
            const range = { seed: SEED, first, count, maxShown: MAX_SHOWN };
            const { report, findings } = await playCases(range, databases, fulfilment);
            await fulfilment.close();
            if (findings.length > 0 || CASES !== undefined) console.log(report);
            expect(findings).toHaveLength(0);
          },
          timeout,
        );
      }
    });
  }
}
