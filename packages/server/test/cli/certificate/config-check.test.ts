import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Certificate, makeAuthority } from '../../helpers/http/certificates.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const DOMAIN = 'erase.example.com';
const authority = makeAuthority('authority');

let folder: TemporaryFolder;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => folder.remove());

function check({ certificate, key }: Certificate) {
  const files = { certificate: join(folder.path, 'a.crt'), key: join(folder.path, 'a.key') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key, { mode: 0o600 });
  const env = {
    UNWRITE_DOMAIN: DOMAIN,
    UNWRITE_PROCESSOR_CERTIFICATE_FILE: files.certificate,
    UNWRITE_PROCESSOR_KEY_FILE: files.key,
  };
  return runHere(['config', 'check'], { env, cwd: folder.path });
}

describe('unwrite config check', () => {
  it('reads the certificate and its key, as a start does', async () => {
    expect(await check(authority.issue(DOMAIN))).toMatchObject({ exitCode: 0, stderr: '' });
    const { key } = authority.issue(DOMAIN);
    const problem = await check({ ...authority.issue(DOMAIN), key });
    expect(problem).toMatchObject({
      exitCode: 78,
      stderr: expect.stringContaining('is not the key of processor_certificate'),
    });
  });

  it('warns of a certificate that has expired, with which the service would start', async () => {
    const expired = authority.issue(DOMAIN, undefined, { validTo: Date.now() - 1000 });
    const { exitCode, stdout } = await check(expired);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^warning: the processor's certificate .* has expired/m);
  });
});
