import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import type { Io, Output } from './io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export function systemIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    // An account without a home, as in a container with any user id, needs one only to find a profile.
    get home() {
      return homedir();
    },
    stdin: process.stdin,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    now: () => Date.now(),
    wait: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}),
    onInterrupt(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
  };
}

function outputOf(stream: WriteStream): Output {
  // A reader that has gone, such as head, is no reason to fail; a full disk is.
  const fail = ({ code = 'no reason given' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    if (stream !== process.stderr)
      process.stderr.write(`opendsr: what was to be printed cannot be written (${code})\n`);
  };
  stream.on('error', fail);
  return {
    write: (text) => void stream.write(text),
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
  };
}
