// Answers whose lines are made while they are sent: what makes them ends with the caller.
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import {
  createLineStreams,
  type LineStreamOptions,
  streamLines,
} from '../../../../src/http/operator/shared/stream-lines.ts';

const ANYONE = { mayRead: async () => true };
const LINE = `${'x'.repeat(20_000)}\n`;

/** Writes until it is refused, as an export of a large log does. */
function endless(options: Partial<LineStreamOptions> = {}) {
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const lines = streamLines(
    async (write) => {
      try {
        for (;;) await write(LINE);
      } finally {
        hasEnded();
      }
    },
    { ...ANYONE, ...options },
  );
  return { lines, ended };
}

describe('lines that are made while they are sent', () => {
  it('arrive whole and in order', async () => {
    const lines = streamLines(async (write) => {
      for (let n = 0; n < 20; n++) await write(`${n} ${LINE}`);
    }, ANYONE);
    let text = '';
    for await (const chunk of lines) text += String(chunk);
    expect(text.match(/^\d+/gm)).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
  });

  it('are not produced any more after the caller has gone away while they wait to be read', async () => {
    const { lines, ended } = endless();
    await new Promise((resolve) => lines.once('readable', resolve));
    lines.destroy();
    await ended;
  });

  it('are not produced any more while the caller stays and does not read', async () => {
    const { lines, ended } = endless({ stalledMs: 50 });
    await expect(finished(lines)).rejects.toMatchObject({ name: 'AbortError' });
    await ended;
  });

  it('stop when the caller may not read them any more, or when that cannot be found out', async () => {
    const unknown = async () => Promise.reject(new Error('the store is away'));
    for (const mayRead of [async () => false, unknown]) {
      const { lines, ended } = endless({ mayRead });
      lines.resume();
      await expect(finished(lines)).rejects.toThrow(/may not read|is away/);
      await ended;
    }
  });

  it('stop when making them fails', async () => {
    const lines = streamLines(async (write) => {
      await write('one\n');
      throw new Error('the store is away');
    }, ANYONE);
    await expect(lines.toArray()).rejects.toThrow('the store is away');
  });

  it('are made for a limited number of callers at once, and for others when one has left', async () => {
    const stream = createLineStreams(2);
    const open = () =>
      stream(async (write) => {
        for (;;) await write(LINE);
      }, ANYONE);
    const [first, second] = [open(), open()];
    expect(open).toThrow('try again later');
    first.destroy();
    await finished(first).catch(() => undefined);
    const third = open();
    expect(open).toThrow('try again later');
    for (const lines of [second, third]) lines.destroy();
  });
});
