// Many histories by chance, and the smallest that breaks a rule.
import fc from 'fast-check';
import { vi } from 'vitest';
import type { StoreKind } from '../helpers/stores/test-store.ts';
import type { HistoryCommand } from './commands/command.ts';
import { controllerCommands, create, created } from './commands/controller-commands.ts';
import { legalHoldCommands } from './commands/legal-hold-commands.ts';
import { operatorCommands } from './commands/operator-commands.ts';
import { targetCommands } from './commands/target-commands.ts';
import { settings, workerCommands } from './commands/worker-commands.ts';
import { openHistory } from './history.ts';
import { createStatistics } from './statistics.ts';
import { takeWayOut, waitForForgetting } from './way-out.ts';

const MAX_COMMANDS = 40;

export interface HistoryRuns {
  readonly kind: StoreKind;
  readonly runs: number;
  readonly seed: number;
  /** Of a failure, as it was told: that history alone. */
  readonly path?: string | undefined;
  readonly replayPath?: string | undefined;
}

/** Answers what was seen in how many of them. */
export async function runHistories(asked: HistoryRuns): Promise<string> {
  const { kind, runs, seed, path, replayPath } = asked;
  const statistics = createStatistics();
  const all: fc.Arbitrary<HistoryCommand>[] = [
    ...controllerCommands,
    ...workerCommands,
    ...operatorCommands,
    ...legalHoldCommands,
    ...targetCommands,
  ];
  const commands = fc.commands(all, {
    maxCommands: MAX_COMMANDS,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
  const first = fc.array(created, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(settings, first, commands, async (given, begun, some) => {
    const history = await openHistory(kind, given, statistics.saw);
    statistics.begin();
    try {
      for (const request of begun) await create(history, request);
      const made = () => ({ model: history, real: history });
      await fc.asyncModelRun(made, some);
      await takeWayOut(history);
      await waitForForgetting(history);
    } finally {
      await history.system.close();
    }
  });
  // Heartbeats go by the test's clock. Delays of retries are always the same, so that a seed is one history.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    await fc.assert(property, { numRuns: runs, seed, ...(path !== undefined && { path }) });
    return statistics.report();
  } finally {
    random.mockRestore();
    vi.useRealTimers();
  }
}
