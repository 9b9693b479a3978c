// The suites of npm run test:long: what each is about, how long it takes on two cores, its flags, and what it gives to
// vitest: one run, or several one after the other, each with an environment of its own.
import { fetchDeployTools, fetchS3 } from './fetch-debian.mjs';
import { runsOnInstalled } from './installed-suite.mjs';
import { anySeed } from './run.mjs';
import {
  deployTestFiles,
  longTestFiles,
  matrixTestFiles,
  packedTestFiles,
  servedTestFiles,
  WITHOUT_LONG,
} from './test-files.mjs';
import { installDeployParts } from './test-parts.mjs';

const TESTS = 'packages/server/test';
const below = (...names) => names.map((name) => `${TESTS}/${name}`);
const text = (help, usual) => ({ type: 'string', help, ...(usual && { default: usual }) });
const SEED = text('N: what is generated is made from this (without it: any, which is printed)');
const STORE = text('S: the store of the server, sqlite or postgres', 'sqlite');
const ONE_STORE = text('S: sqlite or postgres (without it: both)');

/** Suites of npm run test:long without an argument, in this order. */
export const WITHOUT_ARGUMENT = ['long', 'databases', 'store-on-postgres', 'mysql', 's3'];

export const SUITES = {
  long: {
    about:
      'every *.long.test.ts once: crashes, several nodes, the console, whole lives of requests',
    takes: '8 min',
    runs: () => [{ args: longTestFiles() }],
  },
  databases: {
    about: 'the tests that npm test ran on one database of several, on the others',
    takes: '5 min',
    runs: () => [{ args: matrixTestFiles(), env: { UNWRITE_TEST_MATRIX: 'others' } }],
  },
  'store-on-postgres': {
    about: "npm test's end-to-end tests on a PostgreSQL store",
    takes: '3 min',
    runs: () => [
      { args: [...WITHOUT_LONG, ...below('e2e', 'cli')], env: { UNWRITE_TEST_STORE: 'postgres' } },
    ],
  },
  mysql: {
    about:
      'the connector contract and generated cases on a MySQL, downloaded from Debian unstable; --all for every test about MariaDB',
    takes: '2 min',
    needs: 'mysql',
    flags: {
      all: { type: 'boolean', help: 'every test about MariaDB (some 5 min)' },
      cases: text('N: how many generated cases', '60'),
      seed: SEED,
    },
    numbers: { cases: {}, seed: { min: 0 } },
    runs: ({ all, cases, seed = anySeed() }) => [
      {
        args: [
          ...below(
            ...(all
              ? ['connectors', 'examples', 'misleading-schemas', 'contract', 'e2e']
              : ['contract/connector.test.ts', 'connectors/mysql', 'connectors/check/mysql']),
          ),
          '-t',
          'MariaDB|mysql|MySQL',
        ],
      },
      generatedCases({ cases, seed, database: 'mysql' }),
    ],
  },
  s3: {
    about: 'the s3 connector on a server that keeps versions, downloaded from Debian unstable',
    takes: '1 min',
    runs: () => {
      const { path, reason } = fetchS3();
      if (path === undefined) console.log(`No S3 server can be had: ${reason}.`);
      return path === undefined
        ? []
        : [{ args: servedTestFiles(), env: { UNWRITE_TEST_S3_FOLDER: path } }];
    },
  },
  submit: {
    about: 'opendsr submit, killed twice midway: each person is submitted once, in constant memory',
    takes: '5 min',
    flags: { people: text('N: lines of the file', '100000') },
    numbers: { people: { min: 100, max: 9_999_999 } },
    runs: ({ people }) => [
      {
        args: ['packages/opendsr/test/submit/killed.long'],
        env: { UNWRITE_TEST_SUBMITTED_PEOPLE: people },
      },
    ],
  },
  package: {
    about:
      'the packages as they are packed, on several versions of Node.js and in a browser; then the tests that start processes, on the installed server',
    takes: '25 min',
    runs: () => [{ args: packedTestFiles() }, ...runsOnInstalled()],
  },
  deploy: {
    about:
      'what is in deploy/: the image is built and run, compose, Kubernetes, Prometheus and systemd are checked by their own programs',
    takes: '3 min',
    runs: () => {
      installDeployParts();
      const { path, reason } = fetchDeployTools();
      if (path === undefined) console.log(`No other programs are fetched: ${reason}.`);
      return [{ args: deployTestFiles(), env: { UNWRITE_TEST_DEPLOY_TOOLS: path } }];
    },
  },
  upgrade: {
    about:
      'this version beside and after others on the same store, and the stores of released versions',
    takes: '3 min',
    flags: {
      keep: {
        type: 'boolean',
        help: "before a release: keep this version's stores for the tests of later ones",
      },
    },
    runs: ({ keep }) => [
      { args: below('upgrade'), env: { UNWRITE_TEST_KEEP_STORES: keep ? 'yes' : undefined } },
    ],
  },
  crash: {
    about: 'kills processes under load, and looks for what was lost or done twice',
    takes: '1 min a round',
    flags: {
      rounds: text(
        'N: on SQLite, each kills the server once, workers three times and target databases once; on PostgreSQL, four nodes and the database',
        '25',
      ),
      races: text('N: on SQLite, cancellations against starts (without it: 400 a round)'),
      store: STORE,
    },
    numbers: { rounds: { max: 99_999 }, races: { max: 99_999 } },
    runs: ({ rounds, races = String(400 * Number(rounds)), store }) => [
      {
        args:
          store === 'postgres'
            ? below('crash/postgres')
            : [...below('crash'), '--exclude', '**/crash/postgres/**'],
        env: { UNWRITE_TEST_CRASH_ROUNDS: rounds, UNWRITE_TEST_RACES: races },
      },
    ],
  },
  nodes: {
    about: 'what several nodes on one PostgreSQL do to each other, quick tests and long ones',
    takes: '5 min',
    runs: () => [
      {
        args: below(
          'nodes',
          'queue',
          'store/postgres',
          'store/copy',
          'e2e/leaks-postgres',
          'cli/store/copy',
        ),
      },
    ],
  },
  e2e: {
    about: 'the whole life of requests, from outside, at a size of your choice',
    takes: '10 min',
    flags: {
      customers: text('N: of the shop', '100000'),
      requests: text('N: how many of them ask to be erased', '10000'),
      store: STORE,
    },
    numbers: { customers: { min: 10, max: 9_999_999 }, requests: { min: 10, max: 9_999_999 } },
    runs: ({ customers, requests, store }) => [
      {
        args: below('e2e/whole-life.long'),
        env: {
          UNWRITE_TEST_STORE: store,
          UNWRITE_TEST_E2E_CUSTOMERS: customers,
          UNWRITE_TEST_E2E_REQUESTS: requests,
        },
      },
    ],
  },
  fuzz: {
    about: 'generated bodies, paths, headers, tokens and configuration files',
    takes: '5 min',
    flags: {
      runs: text(
        'N: bodies for POST /requests; other inputs are a quarter each, so all are about 2.5 times as many',
        '100000',
      ),
      seed: SEED,
    },
    numbers: { runs: {}, seed: {} },
    runs: ({ runs, seed = anySeed() }) => [
      {
        args: below(
          'http/generated/bodies.long',
          'http/generated/requests.long',
          'config/generated-configs.long',
        ),
        env: { UNWRITE_TEST_FUZZ_RUNS: runs, UNWRITE_TEST_FUZZ_SEED: seed },
      },
    ],
  },
  histories: {
    about: 'random sequences of actions, compared with a model',
    takes: '1 min a hundred',
    flags: {
      runs: text('N: how many, on each store', '1000'),
      seed: SEED,
      path: text('P: the numbers of a failure, as it was told: 36:0:1'),
      'replay-path': text('P: the same, as it was told: AAA:q'),
      store: ONE_STORE,
    },
    numbers: { runs: { min: 0 }, seed: { min: 0 } },
    check: ({ path }) =>
      path !== undefined &&
      !/^\d+(:\d+)*$/.test(path) &&
      '--path takes the numbers of a failure, as it was told: 36:0:1',
    runs: ({ runs, seed = anySeed(), path, 'replay-path': replayPath, store }) => [
      {
        args: below('histories/histories.test.ts'),
        env: {
          UNWRITE_TEST_HISTORIES_RUNS: runs,
          UNWRITE_TEST_HISTORIES_SEED: seed,
          UNWRITE_TEST_HISTORIES_PATH: path,
          UNWRITE_TEST_HISTORIES_REPLAY_PATH: replayPath,
          UNWRITE_TEST_STORE: store,
        },
      },
    ],
  },
  hostile: {
    about: 'attacks a server process, and measures an honest client beside it',
    takes: '1 min a round',
    flags: {
      rounds: text(
        'N: two seconds of each flood, 360 odd requests and 400 private addresses a round',
        '5',
      ),
      probes: text(
        "N: probes of other controllers' requests, and as many forged tokens (without it: 400 a round)",
      ),
      seed: SEED,
    },
    numbers: { rounds: {}, probes: {}, seed: {} },
    runs: ({ rounds, probes = String(400 * Number(rounds)), seed = anySeed() }) => [
      {
        // One after the other: each measures what a client beside it sees.
        args: ['--no-file-parallelism', ...below('hostile/')],
        env: {
          UNWRITE_TEST_HOSTILE_SEED: seed,
          UNWRITE_TEST_HOSTILE_ROUNDS: rounds,
          UNWRITE_TEST_HOSTILE_PROBES: probes,
        },
      },
    ],
  },
  leaks: {
    about: 'looks for known identities in every byte that Unwrite writes',
    takes: '10 min',
    flags: {
      people: text('N: people with two identities each, created and cancelled', '10000'),
      lives: text(
        'N: people followed through the whole life of their requests, on each store (without it: a fiftieth of --people)',
      ),
    },
    numbers: { people: { min: 10, max: 99_999 }, lives: { min: 10, max: 99_999 } },
    runs: ({ people, lives = String(Math.max(10, Math.round(Number(people) / 50))) }) => [
      {
        args: below('leaks.test', 'e2e/leaks.long.test', 'e2e/leaks-postgres.long.test'),
        env: { UNWRITE_TEST_LEAK_PEOPLE: people, UNWRITE_TEST_E2E_PEOPLE: lives },
      },
    ],
  },
  soak: {
    about: 'everything at once; what the server holds must not grow',
    takes: '--minutes',
    flags: { minutes: text('N: how long', '10'), store: STORE },
    numbers: { minutes: { max: 9999 } },
    runs: ({ minutes, store }) => [
      {
        args: below('soak/soak.long.test.ts'),
        env: { UNWRITE_TEST_SOAK_MINUTES: minutes, UNWRITE_TEST_STORE: store },
      },
    ],
  },
  surgery: {
    about: 'erases in generated schemas and data, with generated faults',
    takes: '1 min a hundred cases and database',
    needs: ({ database }) => (database === 'mysql' ? 'mysql' : undefined),
    flags: {
      cases: text('N: how many', '1000'),
      seed: SEED,
      case: text('N: only this one'),
      database: text('D: postgres, mariadb, sqlite (without it: all three), or mysql'),
    },
    numbers: { cases: { min: 0 }, seed: { min: 0 }, case: { min: 0 } },
    check: ({ database }) =>
      database !== undefined &&
      !/^(postgres|mariadb|mysql|sqlite)$/.test(database) &&
      '--database takes postgres, mariadb, sqlite or mysql; without it, all but mysql',
    runs: ({ seed = anySeed(), ...values }) => [generatedCases({ seed, ...values })],
  },
};

function generatedCases({ cases, seed, case: number, database }) {
  return {
    args: below('surgery/surgery.test.ts'),
    env: {
      UNWRITE_TEST_SURGERY_CASES: cases,
      UNWRITE_TEST_SURGERY_SEED: seed,
      UNWRITE_TEST_SURGERY_CASE: number,
      UNWRITE_TEST_SURGERY_DATABASE: database,
    },
  };
}

/**
 * The long run before a release, five to eight hours on two cores: what docs/RELIABILITY.md has figures of. Numbers in
 * braces are multiplied by `--scale`.
 */
export const BEFORE_RELEASE = [
  'crash --rounds {200} --races {10000}',
  'crash --store postgres --rounds {200}',
  'fuzz --runs {420000} --seed SEED',
  'hostile --rounds {5} --probes {100000} --seed SEED',
  'leaks --people {10000}',
  'soak --minutes {60}',
  'soak --minutes {60} --store postgres',
];
