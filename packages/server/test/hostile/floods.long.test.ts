// Each flood from another angle, an honest client beside it: it must be served, and the server must not grow.
import { describe, expect, it } from 'vitest';
import { ATTACKS } from './attacks.ts';
import { rowOf, useHostileWorld } from './hostile-world.ts';
import { diceFor, REPEAT, ROUNDS, report } from './seed.ts';

const ATTACK_MS = 2000;
/** Far above what is seen, and far below what each of these did before there were limits. */
const MAX_MIB = 220;
const MAX_DESCRIPTORS = 2200;
/** Times what it is beside ordinary callers, and where that is next to nothing, milliseconds. */
const SLOWER = 8;
const MAX_P50_MS = 500;
const MAX_P99_MS = 2500;

describe(`an honest client is served while the server gets (${REPEAT})`, () => {
  const world = useHostileWorld('limits:\n  answer_timeout: 2s\n');
  const timeout = 90_000 + ROUNDS * ATTACK_MS * 2;

  it.each(Object.entries(ATTACKS))('%s', { timeout }, async (name, attack) => {
    const dice = diceFor(name);
    const seen = await world.under(() =>
      attack({
        url: world.url(),
        token: world.token(),
        dice,
        end: performance.now() + ATTACK_MS * ROUNDS,
      }),
    );
    report(rowOf(name, seen));
    expect(seen.during.failures).toEqual([]);
    expect(seen.during.count).toBeGreaterThan(5);
    const { busy, during } = seen;
    expect(during.p50).toBeLessThan(Math.max(MAX_P50_MS, SLOWER * busy.p50));
    expect(during.p99).toBeLessThan(Math.max(MAX_P99_MS, SLOWER * busy.p99));
    expect(seen.max.memoryMiB - seen.before.memoryMiB).toBeLessThan(MAX_MIB);
    expect(seen.max.descriptors - seen.before.descriptors).toBeLessThan(MAX_DESCRIPTORS);
    await world.untilReleased(seen.before);
    expect(world.output()).not.toMatch(/"level":"(error|fatal)"|EMFILE|at .+\.ts:\d+/);
  });
});
