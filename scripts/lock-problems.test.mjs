import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockProblems } from './lock-problems.mjs';

const binary = (os, cpu) => ({ version: '1.0.0', os: [os], cpu: [cpu] });

/** A lock file with one package, `tool`, whose binaries are packages of their own. */
function lockOfTool() {
  const packages = {
    'node_modules/tool-darwin-arm64': binary('darwin', 'arm64'),
    'node_modules/tool-linux-arm64': binary('linux', 'arm64'),
    'node_modules/tool-linux-x64': binary('linux', 'x64'),
    // Some packages say it without a list.
    'node_modules/tool-win-x64': { version: '1.0.0', os: 'win32', cpu: 'x64' },
  };
  const names = Object.keys(packages).map((path) => path.replace('node_modules/', ''));
  const optionalDependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  return { packages: { '': {}, 'node_modules/tool': { optionalDependencies }, ...packages } };
}

describe('the check of the lock file', () => {
  it('accepts a package with binaries for each platform', () => {
    expect(lockProblems(lockOfTool())).toEqual([]);
  });

  it('refuses a lock file that lacks an entry which optionalDependencies name', () => {
    const lock = lockOfTool();
    delete lock.packages['node_modules/tool-win-x64'];
    expect(lockProblems(lock)).toEqual([
      'tool names tool-win-x64, which the lock file does not have',
      'tool has no binary for win32-x64',
    ]);
  });

  it('refuses a package that has no binary for a platform of ours', () => {
    const lock = lockOfTool();
    delete lock.packages['node_modules/tool-linux-arm64'];
    delete lock.packages['node_modules/tool'].optionalDependencies['tool-linux-arm64'];
    expect(lockProblems(lock)).toEqual(['tool has no binary for linux-arm64']);
  });

  it('finds a binary that is nested in the package, and those of the workspace itself', () => {
    const lock = lockOfTool();
    const nested = lock.packages['node_modules/tool-linux-x64'];
    delete lock.packages['node_modules/tool-linux-x64'];
    lock.packages['node_modules/tool/node_modules/tool-linux-x64'] = nested;
    expect(lockProblems(lock)).toEqual([]);
    lock.packages[''] = { optionalDependencies: { 'tool-freebsd-x64': '1.0.0' } };
    expect(lockProblems(lock)).toEqual([
      'the workspace names tool-freebsd-x64, which the lock file does not have',
    ]);
  });

  it('leaves alone what is by nature for one platform', () => {
    const lock = {
      packages: {
        'node_modules/watcher': { optionalDependencies: { fsevents: '~2.3.3' } },
        'node_modules/fsevents': { version: '2.3.3', os: ['darwin'] },
      },
    };
    expect(lockProblems(lock)).toEqual([]);
  });

  it('refuses a recorded address of a registry', () => {
    const lock = lockOfTool();
    lock.packages['node_modules/tool'].resolved = 'https://registry.example/tool/-/tool-1.0.0.tgz';
    lock.packages['node_modules/own'] = { resolved: 'packages/own', link: true };
    expect(lockProblems(lock)).toEqual([
      'node_modules/tool records where it was downloaded from: https://registry.example/tool/-/tool-1.0.0.tgz',
    ]);
  });

  it('would find each of the binaries in our own lock file missing', () => {
    const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
    expect(lockProblems(lock)).toEqual([]);
    const binaries = Object.keys(lock.packages).filter((path) => {
      const { os, cpu } = lock.packages[path];
      return os !== undefined && cpu !== undefined;
    });
    expect(binaries.length).toBeGreaterThan(40);
    for (const path of binaries) {
      const { [path]: _, ...packages } = lock.packages;
      expect(lockProblems({ packages }).length, path).toBeGreaterThan(0);
    }
  });
});
