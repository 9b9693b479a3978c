// What a server loads before anybody calls it stays in its memory for ever.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url);
const STATIC = /^(?:import|export) (?!type\b)(?:[^'"]*? from )?'([^']+)'/gms;

/** Files below src/ and packages that these load, and what those load in turn; not what is loaded later. */
function loadedBy(...entries: string[]): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = entries.map((path) => new URL(path, SOURCES));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const path = file.href.slice(SOURCES.href.length);
    if (files.has(path)) continue;
    files.add(path);
    for (const [, name = ''] of readFileSync(fileURLToPath(file), 'utf8').matchAll(STATIC)) {
      if (name.startsWith('.')) waiting.push(new URL(name, file));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

it('a server loads no other command, no operator API and no connector before they are needed', () => {
  const { files, packages } = loadedBy(
    'main.ts',
    'app/installation.ts',
    'app/service.ts',
    'app/api.ts',
  );
  expect(files.length).toBeGreaterThan(150);
  const late =
    /^(cli\/(?!program\.ts|server\/|shared\/)|http\/(operator\/(?!when-asked)|console\/)|operator\/overview|connectors\/|auth\/operator\/sso)/;
  expect(files.filter((file) => late.test(file))).toEqual([]);
  expect(packages.filter((name) => /openid-client|^pg|mysql2|jose|swagger/.test(name))).toEqual([]);
});
