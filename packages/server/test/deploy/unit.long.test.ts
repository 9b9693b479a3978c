import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { findTool, ROOT, runTool } from './tools.ts';

const analyze = findTool('systemd-analyze', 'systemd');
const folder = makeTemporaryFolder();
afterAll(folder.remove);

/** Of `deploy/unwrite.service`, with this change. */
function unitWith(pattern: RegExp, text: string): string {
  const unit = readFileSync(join(ROOT, 'deploy/unwrite.service'), 'utf8');
  const path = join(folder.path, 'unwrite.service');
  // The program of the package is not here.
  const here = unit.replace('/usr/lib/unwrite/node', process.execPath);
  writeFileSync(path, here.replace(pattern, text));
  return path;
}

describe.runIf(analyze)('deploy/unwrite.service', () => {
  it('has only lines that systemd knows', () => {
    const said = (path: string) => runTool(analyze ?? '', ['verify', path]).stderr;
    expect(said(unitWith(/$^/, ''))).toBe('');
    expect(said(unitWith(/^NoNewPrivileges/m, 'NoNewPrivilege'))).toContain('NoNewPrivilege');
  });

  it('is exposed to less than 2.5 of the 10 that systemd counts', () => {
    const args = ['security', '--offline=true', '--threshold=25'];
    const status = (path: string) => runTool(analyze ?? '', [...args, path]).status;
    expect(status(unitWith(/$^/, ''))).toBe(0);
    expect(status(unitWith(/^(Protect|Private|Restrict|System|Capab).*\n/gm, ''))).not.toBe(0);
  });
});
