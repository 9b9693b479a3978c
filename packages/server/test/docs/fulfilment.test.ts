// An operator who meets a reason or a code must find it in docs/fulfilment.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TASK_HOLD_REASONS } from '../../src/domain/task/task.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE = join(ROOT, 'packages/server/src');
const page = readFileSync(join(ROOT, 'docs/fulfilment.md'), 'utf8');

function read(pattern: string): string {
  const files = globSync(pattern, { cwd: SOURCE });
  expect(files).not.toEqual([]);
  return files.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n');
}

function findAll(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

const missing = (names: readonly string[]) => names.filter((name) => !page.includes(`\`${name}\``));

describe('docs/fulfilment.md', () => {
  it('has every reason for a hold', () => {
    expect(missing(TASK_HOLD_REASONS)).toEqual([]);
  });

  it('has every reason for which attention is asked', () => {
    const reasons = findAll(read('domain/task/attention.ts'), /^ {2}([a-z_]+): '/gm);

    expect(reasons).toContain('worker_gone');
    expect(missing(reasons)).toEqual([]);
  });

  it('has every code of a failure', () => {
    const kinds = ['lock', 'data', 'other'];
    const codes = [
      ...findAll(read('{connectors,fulfilment}/**/*.ts'), /TargetDown\(\s*'([a-z_]+)'/g),
      ...findAll(read('{connectors,fulfilment}/**/*.ts'), /\bcode: '([a-z_]+)'/g),
      ...findAll(read('connectors/**/*-failure.ts'), /'([a-z]+(?:_[a-z]+)*)',\s+['"]/g),
      ...findAll(read('connectors/http/read-answer.ts'), /failed\('([a-z_]+)'/g),
    ].filter((code) => !kinds.includes(code));

    expect(codes).toEqual(expect.arrayContaining(['lock_timeout', 'unreachable', 'still_there']));
    expect(missing(codes)).toEqual([]);
  });
});
