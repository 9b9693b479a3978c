// What ends a server and what makes it reload, at a terminal and without one.
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RELOAD_SIGNAL, untilToldToStop } from '../../../src/cli/server/stop-signals.ts';

type Listener = (...args: unknown[]) => void;
const wasTerminal = process.stdin.isTTY;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', RELOAD_SIGNAL] as const;
const before = new Map<string, Listener[]>();
// What other files of this process have started listens too.
beforeEach(() => {
  for (const signal of SIGNALS) {
    before.set(signal, EventEmitter.prototype.listeners.call(process, signal) as Listener[]);
    process.removeAllListeners(signal);
  }
});
afterEach(() => {
  process.stdin.isTTY = wasTerminal;
  for (const [signal, own] of before) {
    process.removeAllListeners(signal);
    for (const listener of own) EventEmitter.prototype.on.call(process, signal, listener);
  }
});

describe.each([true, false])('at a terminal: %s', (isTerminal) => {
  async function told(...signals: readonly NodeJS.Signals[]) {
    process.stdin.isTTY = isTerminal;
    let reloads = 0;
    const stopped = untilToldToStop(() => {
      reloads++;
    });
    for (const signal of signals) process.emit(signal, signal);
    const how = await Promise.race([stopped, new Promise((r) => setImmediate(r, 'serving'))]);
    return { how, reloads };
  }

  it('the command reloads, and never stops', async () => {
    expect(await told(RELOAD_SIGNAL)).toEqual({ how: 'serving', reloads: 1 });
  });

  it('a hang-up stops where the terminal was closed, and reloads elsewhere', async () => {
    expect(await told('SIGHUP')).toEqual(
      isTerminal ? { how: 'SIGHUP', reloads: 0 } : { how: 'serving', reloads: 1 },
    );
  });

  it('SIGTERM stops', async () => {
    expect(await told('SIGTERM')).toEqual({ how: 'SIGTERM', reloads: 0 });
  });
});
