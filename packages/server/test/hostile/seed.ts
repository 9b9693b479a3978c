// What a run of this folder is repeated by: `npm run test:long -- hostile --seed S --rounds N --probes P`.
import { randomInt } from 'node:crypto';
import { createDice, type Dice } from '../surgery/make/dice.ts';

const { env } = process;
export const SEED = Number(env.UNWRITE_TEST_HOSTILE_SEED ?? randomInt(2 ** 31));
/** `npm run test:long` does one. */
export const ROUNDS = Number(env.UNWRITE_TEST_HOSTILE_ROUNDS ?? 1);

/** Of other controllers' requests, and forged tokens: so many of each. `--probes` says it by itself. */
export const PROBES = Number(env.UNWRITE_TEST_HOSTILE_PROBES ?? 400 * ROUNDS);
/** For tests that make them one after the other; a machine may be busy. */
export const PROBES_MS = 60_000 + 150 * PROBES;

/** In titles of tests, so that a failure names the command which repeats it. */
export const REPEAT = `--seed ${SEED} --rounds ${ROUNDS} --probes ${PROBES}`;

/** Dice of its own for each test: which others run does not change what it does. */
export function diceFor(test: string): Dice {
  const number = [...test].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  return createDice(SEED, Math.abs(number));
}

/** A line of figures, for docs/RELIABILITY.md; tests that pass show it with `--rounds`. */
export function report(line: string): void {
  if (env.UNWRITE_TEST_HOSTILE_ROUNDS !== undefined) process.stdout.write(`${line}\n`);
}
