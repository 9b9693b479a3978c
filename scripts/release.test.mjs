import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notesOf } from './release/notes.mjs';
import { setVersion, versionOf, versionProblems } from './release/version.mjs';
import { ROOT } from './run.mjs';

describe('the version', () => {
  let copy;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'unwrite-version-'));
    cpSync(join(ROOT, 'package-lock.json'), join(copy, 'package-lock.json'));
    for (const name of readdirSync(join(ROOT, 'packages'))) {
      mkdirSync(join(copy, 'packages', name), { recursive: true });
      const file = join('packages', name, 'package.json');
      cpSync(join(ROOT, file), join(copy, file));
    }
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  it('is the same in all packages of the repository, and in its lock file', () => {
    expect(versionProblems(ROOT)).toEqual([]);
  });

  it('is changed in all places at once, and nothing else is', () => {
    const before = versionOf(copy);
    setVersion(copy, '7.8.9-rc.1');
    expect(versionOf(copy)).toBe('7.8.9-rc.1');
    expect(versionProblems(copy)).toEqual([]);
    setVersion(copy, before);
    for (const file of ['package-lock.json', 'packages/server/package.json'])
      expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(ROOT, file), 'utf8'));
  });

  it('that differs somewhere is named', () => {
    const file = join(copy, 'packages/client/package.json');
    const manifest = readFileSync(file, 'utf8');
    setVersion(copy, '7.8.9');
    cpSync(join(ROOT, 'packages/client/package.json'), file);
    const { version } = JSON.parse(manifest);
    expect(versionProblems(copy)).toEqual([
      `@unwrite/client is ${version}`,
      `@unwrite/client names @unwrite/protocol ${version}`,
    ]);
  });

  it('must look like one', () => {
    expect(() => setVersion(copy, 'next')).toThrow('next is not a version, such as 0.2.0');
  });
});

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.2.30 - 2027-01-02\n\n- b2\n\n## 1.2.3 - 2027-01-01\n\n### Added\n\n- b\n\n## [1.0.0]\n\n- a\n';

  it.each([
    ['Unreleased', '- c'],
    ['1.2.3', '### Added\n\n- b'],
    ['1.0.0', '- a'],
    ['1.2', undefined],
  ])('of %s are its section of the changelog', (version, notes) => {
    expect(notesOf(changelog, version)).toBe(notes);
  });
});
