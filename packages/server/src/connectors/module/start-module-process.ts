// The server's side of a module's process. It handles one call at a time. Its answers are not trusted, and an
// unexpected end counts as a failure of the target.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { TargetDown } from '../../domain/target/connector.ts';
import type { ModuleTargetConfig } from '../../domain/target/target.ts';
import { entryBeside } from '../../files/own-files.ts';
import { HAS_GROUPS, killGroup } from './kill-group.ts';
import {
  CHANNEL_FD,
  MAX_ANSWER_BYTES,
  type ReceivedAnswer,
  readAnswer,
  readFrames,
  writeFrame,
} from './module-channel.ts';
import { moduleDown } from './module-fault.ts';
import { MAX_HEAP_MB, MAX_MEMORY_MB } from './module-memory.ts';
import {
  type ModuleCall,
  type ModuleFunction,
  type ModuleTask,
  READY,
  type SentSubject,
} from './module-messages.ts';

const PROCESS = fileURLToPath(entryBeside(import.meta.url, 'module-process'));
/**
 * Variables that a program needs to run; never those that may hold a secret of ours or of another target.
 */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'windir',
];
/**
 * Time for Node.js and our own code to start, before the module is loaded: if it takes longer, the module is not to
 * blame.
 */
const START_MS = 30_000;
/** Time for close() and for ending: a process that takes longer is killed. */
const END_MS = 5000;
/** Time for a process to exit after it has closed the channel. */
const CLOSED_MS = 1000;

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
  resolve(answer: ReceivedAnswer): void;
  reject(reason: TargetDown): void;
}

/** Throws TargetDown if the file is not such a module. */
export async function startModuleProcess(config: ModuleTargetConfig): Promise<ModuleProcess> {
  const { file, options, timeout } = config;
  const memory = `--max-old-space-size=${MAX_HEAP_MB}`;
  const child = spawn(process.execPath, ['--no-warnings', memory, PROCESS, String(process.pid)], {
    env: environment(),
    detached: HAS_GROUPS,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const channel = child.stdio[CHANNEL_FD] as Socket;
  const exited = once(child, 'exit').catch(() => undefined);
  let isKilled = false;
  let hasExited = false;
  let pending: Pending | undefined;
  let current: 'create' | ModuleFunction | undefined;
  let lost: TargetDown | undefined;

  readFrames(channel, MAX_ANSWER_BYTES, take, () => {
    lose('sent more than an answer may have');
    kill();
  });
  // The exit, which follows a moment later, says more; but the module may also have closed the channel itself.
  channel
    .on('error', () => undefined)
    .on('close', () => {
      setTimeout(() => {
        lose('closed the channel to Unwrite');
        kill();
      }, CLOSED_MS).unref();
    });
  child.on('error', () => lose('could not be started'));
  child.on('exit', (code, signal) => {
    lose(`ended by itself (${describeEnd(code, signal)})`);
    if (child.pid !== undefined) killGroup(child.pid);
    hasExited = true;
  });

  /** Only our own code in that process writes to the channel, and only answers. */
  function take(bytes: Buffer): void {
    const answer = readAnswer(bytes);
    if (answer.id === pending?.id) {
      pending.resolve(answer);
      pending = undefined;
      return;
    }
    lose('wrote to the channel to Unwrite');
    kill();
  }

  /** Keeps this thread alive until the process has ended: one that outlives the thread is never reaped. */
  function kill(): void {
    isKilled = true;
    channel.destroy();
    if (!hasExited && child.pid !== undefined) killGroup(child.pid);
    child.ref();
  }

  function lose(how: string): void {
    const during = current === undefined ? 'between two calls' : `during ${current}`;
    lost ??= new TargetDown(
      'module_ended',
      `the process of ${file} ${how} ${during}; it must not end its process, and must catch what it throws`,
    );
    pending?.reject(lost);
    pending = undefined;
  }

  /** Waits for the message with this id, at most until the limit. */
  async function answerTo(
    id: string,
    call: ModuleTask['call'],
    limit: number,
  ): Promise<ReceivedAnswer> {
    if (lost !== undefined) throw lost;
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
    pending = { id, resolve, reject };
    current = call;
    const timer = setTimeout(() => {
      lost ??= late(call, limit, file);
      pending?.reject(lost);
      pending = undefined;
      kill();
    }, limit);
    child.ref();
    channel.ref();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      current = undefined;
      // An idle process does not keep this one from ending.
      if (!isKilled) child.unref();
      channel.unref();
    }
  }

  async function ask(task: ModuleTask, limit = timeout): Promise<unknown> {
    const message: ModuleCall = { ...task, id: randomUUID(), limit };
    const answered = answerTo(message.id, task.call, limit);
    if (lost === undefined) writeFrame(channel, serialize(message));
    const { isFault, value } = await answered;
    if (isFault) throw moduleDown(value, task.call, file);
    return value;
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
      kill();
      await Promise.race([exited, pause(END_MS, undefined, { ref: false })]);
    }
  }

  try {
    await answerTo(READY, 'create', START_MS);
    await ask({ call: 'create', file, options });
  } catch (error) {
    kill();
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

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== 'SIGKILL') return signal ?? `exit code ${code}`;
  return `SIGKILL, as for a process with more than ${MAX_MEMORY_MB} MiB of memory`;
}

function late(call: ModuleTask['call'], limit: number, file: string): TargetDown {
  const name = call === 'create' ? 'createConnector' : call;
  return new TargetDown(
    'timeout',
    `${name} of ${file} took longer than ${limit / 1000} s, so its process was stopped; raise timeout of the target, or lower batch_size`,
  );
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ENVIRONMENT.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
