// What a command prints on a terminal, and what another program reads from it.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../use-installation.ts';

const { unwrite, client } = useInstallation('sqlite');
const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

function becomeTerminal(columns: number): void {
  Object.assign(process.stdout, { isTTY: true, columns });
}
afterEach(() => {
  Object.assign(process.stdout, { isTTY: undefined, columns: undefined });
});

beforeAll(() => client('acme'));

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('a list of the command line', () => {
  it('has relative times and fits into the terminal', async () => {
    becomeTerminal(80);
    const { stdout } = await unwrite('audit', 'list');
    expect(stdout).toMatch(/\b(?:now|\d+ s ago)\b/);
    expect(stdout).not.toMatch(ISO);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stdout).toContain('client.created');
  });

  it('has ISO times and one line per row when it is piped', async () => {
    const { stdout } = await unwrite('audit', 'list');
    const [, ...rows] = stdout.trimEnd().split('\n');
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(ISO);
  });

  it('says both of a single thing at a terminal', async () => {
    becomeTerminal(80);
    const { stdout } = await unwrite('controller', 'show', 'acme');
    expect(stdout).toMatch(new RegExp(`created +${ISO.source} \\((?:now|\\d+ s ago)\\)`));
  });
});
