// The processes of a module: one for each concurrent call, started when needed, ended when idle. A failure of
// one does not affect the calls of the others.
import { TargetDown } from '../../domain/target/connector.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import type { ModuleFunction, SentSubject } from './module-messages.ts';
import type { RestartBudget } from './restart-budget.ts';
import { type ModuleProcess, startModuleProcess } from './start-module-process.ts';

const IDLE_MS = 30_000;

export interface ModuleProcesses {
  /** Starts the first process, so that a file that is not a module is reported at once. */
  start(): Promise<void>;
  call(name: ModuleFunction, subjects?: readonly SentSubject[]): Promise<unknown>;
  /** Ends idle processes at once, and the others after their call. */
  close(): Promise<void>;
}

export function createModuleProcesses(
  config: ModuleTargetConfig,
  budget: RestartBudget,
  idleMs = IDLE_MS,
): ModuleProcesses {
  const idle = new Map<ModuleProcess, NodeJS.Timeout>();
  let isClosed = false;

  async function take(): Promise<ModuleProcess> {
    const [waiting] = idle.keys();
    if (waiting === undefined) return startOne();
    clearTimeout(idle.get(waiting));
    idle.delete(waiting);
    if (waiting.lost === undefined) return waiting;
    budget.spend(config.name);
    throw waiting.lost;
  }

  async function startOne(): Promise<ModuleProcess> {
    const wait = budget.waitFor(config.name);
    if (wait > 0)
      throw new TargetDown(
        'module_ended',
        `the process of ${config.file} keeps ending; it is restarted in ${Math.ceil(wait / 1000)} s`,
      );
    return counted(() => startModuleProcess(config));
  }

  /** Returns the result of the work; an unexpected end of the process is counted. */
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isAbnormal(error)) budget.spend(config.name);
      throw error;
    }
  }

  function giveBack(used: ModuleProcess): void {
    if (used.lost !== undefined) return;
    if (isClosed) return void used.end().catch(() => undefined);
    const timer = setTimeout(() => {
      idle.delete(used);
      void used.end().catch(() => undefined);
    }, idleMs);
    idle.set(used, timer.unref());
  }

  return {
    async start() {
      giveBack(await startOne());
    },
    async call(name, subjects) {
      const used = await take();
      try {
        return await counted(() => used.call(name, subjects));
      } finally {
        giveBack(used);
      }
    },
    async close() {
      isClosed = true;
      const waiting = [...idle];
      idle.clear();
      for (const [, timer] of waiting) clearTimeout(timer);
      await Promise.all(waiting.map(([each]) => each.end()));
    },
  };
}

function isAbnormal(error: unknown): boolean {
  return error instanceof TargetDown && (error.code === 'module_ended' || error.code === 'timeout');
}
