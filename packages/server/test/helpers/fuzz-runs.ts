// How many inputs are generated, and from which seed: `npm run test:long -- fuzz --runs N --seed S` says both.
const { env } = process;

/** `usual` where nothing is said. */
export function fuzzRuns(usual: number): number {
  return Number(env.UNWRITE_TEST_FUZZ_RUNS ?? usual);
}

/** How many inputs were really sent, for docs/RELIABILITY.md; `npm run test:long -- fuzz` shows it. */
export function reportInputs(what: string, count: number): void {
  if (env.UNWRITE_TEST_FUZZ_RUNS !== undefined)
    process.stdout.write(`generated ${what}: ${count}\n`);
}

/** For fast-check, which prints its seed with what fails. */
export const FUZZ_SEED: { readonly seed?: number } =
  env.UNWRITE_TEST_FUZZ_SEED === undefined ? {} : { seed: Number(env.UNWRITE_TEST_FUZZ_SEED) };
