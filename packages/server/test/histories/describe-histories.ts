// The life of requests as a model: histories by chance over both real stores. README.md says what is checked.
// `npm run test:long -- histories --runs N --seed S` runs more.
import { describe, it } from 'vitest';
import { type StoreKind, storeKinds } from '../helpers/stores/test-store.ts';
import { runHistories } from './run-histories.ts';

const { env } = process;
const SEED = Number(env.UNWRITE_TEST_HISTORIES_SEED ?? 1);
const RUNS = env.UNWRITE_TEST_HISTORIES_RUNS;
/** Both as a failure is told; `path` alone plays the history before it was shrunk. */
const REPLAY = {
  path: env.UNWRITE_TEST_HISTORIES_PATH,
  replayPath: env.UNWRITE_TEST_HISTORIES_REPLAY_PATH,
};

/** So many, where the environment does not say how many. */
export async function describeHistories(usualRuns: Record<StoreKind, number>): Promise<void> {
  for (const kind of await storeKinds()) {
    const runs = Number(RUNS ?? usualRuns[kind]);
    describe(`histories of requests on ${kind}`, () => {
      it(
        `keep every rule, and end: ${runs} of seed ${SEED}`,
        async () => {
          const report = await runHistories({ kind, runs, seed: SEED, ...REPLAY });
          if (RUNS !== undefined) console.log(report);
        },
        60_000 + runs * 30_000,
      );
    });
  }
}
