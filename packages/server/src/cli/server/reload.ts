// `unwrite config reload`: asks the running servers of this machine to read their settings again, and tells what each
// answered. The audit log has the answer.
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { AuditRow } from '../../domain/audit/audit-row.ts';
import { NODE_ALIVE_MS } from '../../domain/store/node-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { pidFileIn } from '../../store/sqlite/serve-lock.ts';
import { CommandFailure, ReportedFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { RELOAD_SIGNAL } from './stop-signals.ts';

const ANSWER_WITHIN_MS = 30_000;
const LOOK_MS = 100;

interface Answer {
  readonly pid: number;
  readonly ok: boolean;
  /** Names of settings. */
  readonly changed?: readonly string[];
  readonly reasons?: readonly string[];
}

export function addConfigReload(config: Command): void {
  const reload = config
    .command('reload')
    .description(
      'Make the running server take over the changed settings: all of them, or none with the reasons',
    );
  withJson(withSettings(reload)).action(({ json }: { json?: boolean }) =>
    withInstallation(reload, async ({ store }, settings) => {
      const { pids, elsewhere } = await serversOf(store, settings);
      const [newest] = await store.auditLog.list({ limit: 1 });
      for (const pid of pids) tell(pid);
      const answers = await answersOf(store, pids, newest?.auditNo ?? 0);
      if (json) printJson({ answers, elsewhere });
      else {
        for (const answer of answers) printLines(...linesOf(answer));
        if (elsewhere.length > 0)
          printLines(`Nodes on other machines are to be reloaded there: ${elsewhere.join(', ')}.`);
      }
      if (answers.some(({ ok }) => !ok)) throw new ReportedFailure();
    }),
  );
}

interface Servers {
  readonly pids: readonly number[];
  /** Hosts of other nodes. */
  readonly elsewhere: readonly string[];
}

async function serversOf({ nodes, clock }: Store, { dataDir }: Config): Promise<Servers> {
  if (nodes === null) return { pids: [await pidOf(dataDir)], elsewhere: [] };
  const alive = await nodes.nodes(clock() - NODE_ALIVE_MS);
  const pids = alive.filter(({ host }) => host === hostname()).map(({ pid }) => pid);
  const elsewhere = alive.map(({ host }) => host).filter((host) => host !== hostname());
  if (pids.length > 0) return { pids, elsewhere: [...new Set(elsewhere)] };
  throw new CommandFailure(
    elsewhere.length > 0
      ? `no node runs on this machine; run this where they do: ${elsewhere.join(', ')}`
      : 'no node is running: the next start reads the settings',
  );
}

/** Under the lock nobody serves, and the number in the file may be another process's. */
async function pidOf(dataDir: string): Promise<number> {
  const { takeServeLock } = await import('../../store/sqlite/serve-lock.ts');
  const lock = takeServeLock(dataDir, 0);
  lock?.release();
  if (lock !== undefined) {
    throw new CommandFailure('no server is running: the next start reads the settings');
  }
  const pid = existsSync(pidFileIn(dataDir)) ? Number(readFileSync(pidFileIn(dataDir), 'utf8')) : 0;
  // Process 0 would be everything that was started together with this command.
  if (Number.isSafeInteger(pid) && pid > 0) return pid;
  throw new CommandFailure('the server is starting; run this again in a moment');
}

function tell(pid: number): void {
  try {
    process.kill(pid, RELOAD_SIGNAL);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      code === 'EPERM'
        ? `the server (process ${pid}) is another user's: run this as that user`
        : `the server (process ${pid}) cannot be reached from here (${code}): run this where it runs, such as in its container`,
    );
  }
}

async function answersOf(
  { auditLog }: Store,
  pids: readonly number[],
  afterNo: number,
): Promise<readonly Answer[]> {
  const until = performance.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const rows = await Promise.all(
      (['config.reloaded', 'config.reload_refused'] as const).map((action) =>
        auditLog.list({ action, limit: 100 }),
      ),
    );
    const answers = rows
      .flat()
      .filter(({ auditNo }) => auditNo > afterNo)
      .flatMap((row) => answerOf(row) ?? []);
    const found = pids.flatMap((pid) => answers.find((it) => it.pid === pid) ?? []);
    if (found.length === pids.length) return found;
    if (performance.now() > until) {
      throw new CommandFailure('the server has not answered within 30 s; its log says why');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function answerOf({ action, detail }: AuditRow): Answer | undefined {
  const { host, pid, changed, reasons } = JSON.parse(detail ?? '{}');
  if (host !== hostname()) return undefined;
  return action === 'config.reloaded' ? { pid, ok: true, changed } : { pid, ok: false, reasons };
}

function linesOf({ pid, ok, changed = [], reasons = [] }: Answer): string[] {
  if (!ok) {
    return [
      `Process ${pid} keeps the settings that it has:`,
      ...reasons.map((reason) => `  ${reason}`),
    ];
  }
  return [
    changed.length === 0
      ? `Process ${pid} has read its settings again; nothing has changed.`
      : `Process ${pid} has taken over: ${changed.join(', ')}.`,
  ];
}
