// A command of a history: what fast-check puts together, shrinks, and prints.
import type { AsyncCommand } from 'fast-check';
import type { History } from '../history.ts';

/** fast-check knows a model and a system; both are in the history. */
export type HistoryCommand = AsyncCommand<History, History>;

export interface CommandParts {
  readonly name: string;
  readonly given?: object | undefined;
  /** Left out where it would do nothing. */
  readonly can?: (history: History) => boolean;
  /** Answers whether the worker's chores were just done. */
  readonly run: (history: History) => Promise<unknown>;
}

export function command({ name, given, can, run }: CommandParts): HistoryCommand {
  return {
    check: (history) => can?.(history) ?? true,
    async run(_, history) {
      const hasDoneChores = (await run(history)) === true;
      await history.check(hasDoneChores);
    },
    toString: () => (given === undefined ? name : `${name} ${JSON.stringify(given)}`),
  };
}

/** One of them by chance, whatever their number is by then. */
export function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % Math.max(1, all.length)];
}
