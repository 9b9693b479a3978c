// The server's side of a module's process. It handles one call at a time. Its answers are not trusted, and an
// unexpected end counts as a failure of the target.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { TargetDown } from '../../domain/target/connector.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { isRecord } from '../read-reported.ts';
import { moduleDown } from './module-fault.ts';
import {
  type ModuleCall,
  type ModuleFunction,
  type ModuleTask,
  READY,
  type SentSubject,
} from './module-messages.ts';

const PROCESS = fileURLToPath(new URL('./module-process.ts', import.meta.url));
/**
 * Variables that a program needs to run; never those that may hold a secret of ours or of another target.
 */
const ENVIRONMENT = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SystemRoot', 'windir'],
];
const MAX_MEMORY_MB = 1024;
/**
 * Time for Node.js and our own code to start, before the module is loaded: if it takes longer, the module is not to
 * blame.
 */
const START_MS = 30_000;
/** Time for close() and for ending: a process that takes longer is killed. */
const END_MS = 5000;

export interface ModuleProcess {
  /** Returns the function's result as plain data. Throws TargetDown. */
  call(name: ModuleFunction, subjects?: readonly SentSubject[]): Promise<unknown>;
  /** Why it ended, if we did not end it. */
  readonly lost: TargetDown | undefined;
  /** Asks the module to close, and ends the process even if it does not. */
  end(): Promise<void>;
}

interface Pending {
  readonly id: string;
  resolve(answer: Record<string, unknown>): void;
  reject(reason: TargetDown): void;
}

/** Throws TargetDown if the file is not such a module. */
export async function startModuleProcess(config: ModuleTargetConfig): Promise<ModuleProcess> {
  const { file, options, timeout } = config;
  const child = fork(PROCESS, [String(process.pid)], {
    env: environment(),
    execArgv: ['--no-warnings', `--max-old-space-size=${MAX_MEMORY_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let pending: Pending | undefined;
  let current: 'create' | ModuleFunction | undefined;
  let lost: TargetDown | undefined;

  child.on('message', (answer: unknown) => {
    if (pending === undefined || !isRecord(answer) || answer.id !== pending.id) return;
    pending.resolve(answer);
    pending = undefined;
  });
  child.on('error', () => lose('could not be started'));
  child.on('exit', (code, signal) => lose(`ended by itself (${signal ?? `exit code ${code}`})`));

  function lose(how: string): void {
    const during = current === undefined ? 'between two calls' : `during ${current}`;
    lost ??= new TargetDown(
      'module_ended',
      `the process of ${file} ${how} ${during}; it must not end its process, and must catch what it throws`,
    );
    pending?.reject(lost);
    pending = undefined;
  }

  /** Waits for the message with this id, at most until the limit; other messages are ignored. */
  async function answerTo(
    id: string,
    call: ModuleTask['call'],
    limit: number,
  ): Promise<Record<string, unknown>> {
    if (lost !== undefined) throw lost;
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    pending = { id, resolve, reject };
    current = call;
    const timer = setTimeout(() => {
      lost ??= late(call, limit, file);
      pending?.reject(lost);
      pending = undefined;
      child.kill('SIGKILL');
    }, limit);
    keepAlive(child, true);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      current = undefined;
      keepAlive(child, false);
    }
  }

  async function ask(task: ModuleTask, limit = timeout): Promise<unknown> {
    const message: ModuleCall = { ...task, id: randomUUID(), limit };
    const answered = answerTo(message.id, task.call, limit);
    if (lost === undefined) child.send(message, (error) => error && lose('could not be reached'));
    const answer = await answered;
    if ('fault' in answer) throw moduleDown(answer.fault, task.call, file);
    return parse(answer.json);
  }

  async function end(): Promise<void> {
    if (lost !== undefined) return;
    try {
      await ask({ call: 'close', subjects: [] }, Math.min(timeout, END_MS));
    } finally {
      lost ??= new TargetDown(
        'closed',
        `the process of ${file} was stopped: Unwrite is shutting down`,
      );
      child.kill('SIGKILL');
    }
  }

  try {
    await answerTo(READY, 'create', START_MS);
    await ask({ call: 'create', file, options });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    call: (call, subjects = []) => ask({ call, subjects }),
    get lost() {
      return lost;
    },
    end,
  };
}

/** An idle process does not keep this one from ending. */
function keepAlive(child: ChildProcess, isKept: boolean): void {
  const way = isKept ? 'ref' : 'unref';
  child[way]();
  child.channel?.[way]();
}

function late(call: ModuleTask['call'], limit: number, file: string): TargetDown {
  const name = call === 'create' ? 'createConnector' : call;
  return new TargetDown(
    'timeout',
    `${name} of ${file} took longer than ${limit / 1000} s, so its process was stopped; raise timeout of the target, or lower batch_size`,
  );
}

function parse(json: unknown): unknown {
  if (typeof json !== 'string') return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ENVIRONMENT.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
