// A module that ends its process, or never comes back, stops its own target and no other; operators see it.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PATIENCE, useGoodTarget } from './beside-good-target.ts';
import { FAULTS, type FaultName } from './set-up/faulty-module.ts';

const FILE = fileURLToPath(new URL('./set-up/faulty-module.ts', import.meta.url));
const NAMES = Object.keys(FAULTS) as FaultName[];

describe('a module that', () => {
  const world = useGoodTarget();

  it.each(NAMES)('%s', { timeout: PATIENCE }, async (fault) => {
    const healed = join(tmpdir(), randomUUID());
    const options = JSON.stringify({ fault, healed });
    await world.install(
      `  bad: { connector: module, file: ${FILE}, timeout: 2s, options: ${options} }\n`,
    );
    const ids = await world.submitAll();

    await world.untilGoodIsDone();
    await world.untilSeen(ids, 'bad', /^(module_ended|timeout)$/);
    await world.expectInProgress(ids);
    expect(world.unwrite().output()).not.toContain('the worker stopped');

    writeFileSync(healed, '');
    try {
      await world.expectAllCompleted(ids);
    } finally {
      rmSync(healed);
    }
  });
});
