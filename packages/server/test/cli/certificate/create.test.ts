import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCertificate } from '../../../src/certificate/read-certificate.ts';
import { hasOpenssl } from '../../helpers/http/openssl.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const DOMAIN = 'erase.example.com';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => folder.remove());

const fileOf = (extension: string) => join(folder.path, `${DOMAIN}.${extension}`);
const create = (...args: string[]) =>
  runHere(['certificate', 'create', '--domain', DOMAIN, '--folder', folder.path, ...args], {
    env: {},
    cwd: folder.path,
  });

describe('unwrite certificate create', () => {
  it('makes a key and a request that openssl accepts', async ({ skip }) => {
    skip(!hasOpenssl, 'openssl is not installed');
    for (const type of ['rsa', 'p-256']) {
      const path = join(folder.path, type);
      mkdirSync(path);
      expect((await create('--key-type', type, '--folder', path)).exitCode).toBe(0);
      const request = join(path, `${DOMAIN}.csr`);
      const shown = execFileSync('openssl', ['req', '-in', request, '-noout', '-text', '-verify'], {
        stdio: 'pipe',
      }).toString();
      expect(shown).toContain(`Subject: CN = ${DOMAIN}`);
      expect(shown).toContain(`DNS:${DOMAIN}`);
      execFileSync('openssl', ['pkey', '-in', join(path, `${DOMAIN}.key`), '-noout', '-check'], {
        stdio: 'pipe',
      });
    }
  });

  it('says what to do with the request, and writes files that others may not read', async () => {
    const { stdout } = await create('--key-type', 'p-256');
    expect(stdout).toContain('Send the request, never the key, to a certificate authority');
    expect(stdout).toContain(`UNWRITE_PROCESSOR_KEY_FILE=${fileOf('key')}`);
    for (const name of ['key', 'csr']) expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600);
  });

  it('makes a self-signed pair that can be used, and says that it is not for production', async () => {
    const { stdout } = await create('--self-signed');
    expect(stdout).toContain('Not for production: it is self-signed');
    const text = { certificate: fileOf('crt'), key: fileOf('key') };
    const read = (path: string) => readFileSync(path, 'utf8');
    const pair = { certificate: read(text.certificate), key: read(text.key) };
    expect(readCertificate(pair, DOMAIN).key.asymmetricKeyType).toBe('rsa');
  });

  it.each(['key', 'csr'])('never overwrites a file: .%s', async (extension) => {
    writeFileSync(fileOf(extension), 'in use');
    const { exitCode, stderr } = await create('--key-type', 'p-256');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${fileOf(extension)} exists; move it away`);
    expect(readFileSync(fileOf(extension), 'utf8')).toBe('in use');
    const other = extension === 'key' ? 'csr' : 'key';
    expect(() => statSync(fileOf(other))).toThrow('ENOENT');
  });

  it('says so where the folder is not there', async () => {
    const { exitCode, stderr } = await create('--folder', fileOf('none'));
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/there is no folder .*; make it/),
    ]);
  });

  it('refuses a domain that is none, which would also be a path', async () => {
    const { exitCode, stderr } = await create('--domain', '../x');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('It must be a host name in lower case');
  });
});
