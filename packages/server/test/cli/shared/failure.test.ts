import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../use-installation.ts';

const { unwrite, client, folder } = useInstallation('sqlite');

beforeAll(async () => {
  await client('acme');
  mkdirSync(`${folder()}/a-folder`);
  writeFileSync(`${folder()}/text.txt`, 'hello\n');
});

describe('a command that fails because of what it was given', () => {
  it.each<[string, string[], number]>([
    ['an unknown command', ['eraze'], 2],
    ['an unknown option', ['request', 'list', '--colour', 'blue'], 2],
    ['a missing argument', ['request', 'show'], 2],
    ['an option without its value', ['request', 'list', '--limit'], 2],
    ['a value that an option does not take', ['request', 'list', '--limit', 'x'], 2],
    ['a choice that there is not', ['task', 'list', '--state', 'lost'], 2],
    ['a missing option', ['manual', 'confirm', '1'], 2],
    ['a request that there is not', ['request', 'show', 'x'], 1],
    ['a folder for a file', ['receipt', 'verify', 'a-folder'], 1],
    ['a file that is no receipt', ['receipt', 'verify', 'text.txt'], 1],
    ['a file that is no export', ['audit', 'verify', '--file', 'text.txt'], 1],
    ['a file that is no key', ['audit', 'verify', '--file', 'text.txt', '--key', 'text.txt'], 1],
    ['a configuration that is a folder', ['config', 'check', '--config', 'a-folder'], 78],
    ['a data folder that is a file', ['request', 'list', '--data-dir', 'text.txt'], 1],
    ['an identity without a controller', ['seen', '--email', 'jane@example.com'], 2],
  ])('says so after "unwrite: ", without a stack trace: %s', async (_, args, expected) => {
    const { exitCode, stdout, stderr } = await unwrite(...args);
    expect(stderr).toMatch(/^unwrite: \S/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect([exitCode, stdout]).toEqual([expected, '']);
  });
});
