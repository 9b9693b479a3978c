import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runHere } from '../cli/run-here.ts';
import { environmentOf } from '../helpers/servers/server-process.ts';
import { useGivenSettings } from './given.ts';

const { write, directory } = useGivenSettings();

function client(environment: Record<string, string> = {}) {
  const dataDir = `${directory()}/data`;
  const args = ['client', 'create', '--controller', 'acme', '--json'];
  const env = environmentOf({ dataDir, port: 8080, environment });
  return runHere(args, { env, cwd: directory() });
}

const keyFile = () => `${directory()}/data/master.key`;

describe('the master key of an installation', () => {
  it('is made once, next to the data, readable only by its owner', async () => {
    expect((await client()).exitCode).toBe(0);
    const { mtimeMs, mode } = statSync(keyFile());
    if (process.platform !== 'win32') {
      expect(mode & 0o777).toBe(0o600);
      expect(statSync(`${directory()}/data`).mode & 0o777).toBe(0o700);
    }
    expect((await client()).exitCode).toBe(0);
    expect(statSync(keyFile()).mtimeMs).toBe(mtimeMs);
  });

  it('may be in another folder than the data', async () => {
    const environment = { UNWRITE_MASTER_KEY_FILE: `${directory()}/kept-apart.key` };
    expect((await client(environment)).exitCode).toBe(0);
    expect(existsSync(`${directory()}/kept-apart.key`)).toBe(true);
    expect(existsSync(keyFile())).toBe(false);
  });

  it('may come from a file that a secret manager wrote', async () => {
    const path = write('secret', `${randomBytes(32).toString('base64')}\n`);
    expect((await client({ UNWRITE_MASTER_KEY_FILE: path })).exitCode).toBe(0);
    expect((await client({ UNWRITE_MASTER_KEY_FILE: path })).exitCode).toBe(0);
  });

  it('leaves no file when it is given by the environment', async () => {
    expect((await client({ UNWRITE_MASTER_KEY: randomBytes(32).toString('hex') })).exitCode).toBe(
      0,
    );
    expect(existsSync(keyFile())).toBe(false);
  });

  it('is refused when it is another one', async () => {
    await client();
    const wrong = randomBytes(32).toString('base64');
    const { exitCode, stderr } = await client({ UNWRITE_MASTER_KEY: wrong });
    expect(exitCode).toBe(78);
    expect(stderr).toContain('is not the one that this store was made with');
    expect(stderr).not.toContain(wrong);
  });

  it('is reported as missing when it is gone, and not made again', async () => {
    await client();
    renameSync(keyFile(), `${keyFile()}.away`);
    const { exitCode, stderr } = await client();
    expect(exitCode).toBe(78);
    expect(stderr).toContain(`the master key file ${keyFile()} is missing`);
    expect(existsSync(keyFile())).toBe(false);
  });

  it('is taken from the text of its file too, with the comments', async () => {
    await client();
    const text = readFileSync(keyFile(), 'utf8');
    expect(text).toMatch(/^#/);
    renameSync(keyFile(), `${keyFile()}.away`);
    const { exitCode } = await client({ UNWRITE_MASTER_KEY: text });
    expect(exitCode).toBe(0);
  });

  it('is refused when it is malformed, without being shown', async () => {
    const { exitCode, stderr } = await client({ UNWRITE_MASTER_KEY: 'correct-horse' });
    expect(exitCode).toBe(78);
    expect(stderr).toContain('UNWRITE_MASTER_KEY must be 32 bytes in base64 or hexadecimal');
    expect(stderr).not.toContain('correct-horse');
  });

  it('is refused when a folder for its file is missing', async () => {
    const path = `${directory()}/nowhere/master.key`;
    const { exitCode, stderr } = await client({ UNWRITE_MASTER_KEY_FILE: path });
    expect(exitCode).toBe(78);
    expect(stderr).toContain(`the master key file ${path} cannot be made (ENOENT)`);
  });
});
