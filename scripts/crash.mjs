// npm run test:crash -- --rounds 50: kills the server and its workers so many times, lets cancellations
// race against starts, and looks for what was lost. With --store postgres: several nodes and their
// database. `npm run test:long` does a few rounds; this is for a night.
import { installMariadb } from './install-mariadb.mjs';
import {
  checkNumbers,
  checkStore,
  commandFile,
  install,
  readFlags,
  runNode,
  STORE_FLAG,
} from './run.mjs';

const FOLDER = 'packages/server/test/crash';
const TESTS = {
  sqlite: [FOLDER, '--exclude', '**/crash/postgres/**'],
  postgres: [`${FOLDER}/postgres`],
};

const values = readFlags('Kills processes under load, and looks for what was lost or done twice.', {
  rounds: {
    type: 'string',
    default: '25',
    help: 'N: on SQLite, each kills the server once, workers three times and target databases once; on PostgreSQL, four nodes and the database',
  },
  races: {
    type: 'string',
    help: 'N: on SQLite, cancellations against starts (without it: 400 a round)',
  },
  store: STORE_FLAG,
});
checkNumbers(values, ['rounds', 'races'], { max: 99_999 });
checkStore(values);
install();
installMariadb();
process.env.UNWRITE_TEST_CRASH_ROUNDS = values.rounds;
process.env.UNWRITE_TEST_RACES = values.races ?? String(400 * Number(values.rounds));
process.exit(runNode([commandFile('vitest'), 'run', ...TESTS[values.store]]) ? 0 : 1);
