// How many inputs are generated, and from which seed: `npm run test:fuzz -- --runs N --seed S` says both.
const { env } = process;

/** `usual` where nothing is said. */
export function fuzzRuns(usual: number): number {
  return Number(env.UNWRITE_TEST_FUZZ_RUNS ?? usual);
}

/** For fast-check, which prints its seed with what fails. */
export const FUZZ_SEED: { readonly seed?: number } =
  env.UNWRITE_TEST_FUZZ_SEED === undefined ? {} : { seed: Number(env.UNWRITE_TEST_FUZZ_SEED) };
