import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { printFields, printJson, printLines, printTable } from '../../../src/cli/shared/output.ts';
import { BIN, NODE } from '../../helpers/servers/server-process.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function printed(rows: readonly (string | number | null)[][]): string[] {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  printTable(['name', 'rows'], rows);
  return write.mock.calls.map(([line]) => String(line));
}

describe('a table', () => {
  it('keeps multi-line texts and terminal control characters within their row', () => {
    const lines = printed([
      ['first\nsecond\tthird', 1],
      ['\u001b[2Jgone\r', null],
    ]);
    expect(lines).toEqual([
      'NAME                ROWS\n',
      'first second third  1\n',
      '\\u001b[2Jgone       -\n',
    ]);
  });

  it('may be as long as a limit allows', () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => ['x', index]);
    expect(printed(rows)).toHaveLength(300_001);
  });
});

describe('what commands print', () => {
  const HIDDEN = 'a\u202eb\u009bc\u007fd\u2028e\u{e0041}f';

  function written(print: () => void): string {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    print();
    return write.mock.calls.map(([text]) => String(text)).join('');
  }

  it('shows characters that would steer a terminal as escapes', () => {
    const shown = 'a\\u202eb\\u009bc\\u007fd\\u2028e\\udb40\\udc41f';
    expect(written(() => printLines(HIDDEN, 'next'))).toBe(`${shown}\nnext\n`);
    expect(written(() => printFields({ name: HIDDEN }))).toContain(`name  ${shown}\n`);
  });

  it('is the same JSON', () => {
    const json = written(() => printJson({ note: HIDDEN }));
    expect(json).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(json)).toEqual({ note: HIDDEN });
  });
});

describe('a command', () => {
  it('exits quietly when its output is no longer read', async () => {
    const child = spawn(NODE, [BIN, 'config', 'schema'], {
      env: { PATH: process.env.PATH },
    });
    child.stdout.destroy();
    const ended = once(child, 'exit');
    expect([await text(child.stderr), await ended]).toEqual(['', [0, null]]);
  });
});
