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
  // A reader that has gone, such as head, is no reason to fail.
  stream.on('error', () => undefined);
  return {
    write: (text) => void stream.write(text),
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
  };
}
