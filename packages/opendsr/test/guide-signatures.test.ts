// The block of docs/controllers.md that verifies signatures, as a controller types it: https from the discovery document on,
// with an authority that this machine trusts.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/test/helpers/free-port.ts';
import { makeAuthority } from '../../server/test/helpers/http/certificates.ts';
import { startServiceIn, type TestService } from '../../server/test/helpers/servers/service.ts';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { bundled } from '../../server/test/helpers/use-bundle.ts';

const MAIN = bundled(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
const GUIDE = fileURLToPath(new URL('../../../docs/controllers.md', import.meta.url));
const [, BLOCK = ''] =
  /<!-- run by packages\/opendsr\/test\/guide-signatures\.test\.ts -->\n\n```sh\n(.*?)```/s.exec(
    readFileSync(GUIDE, 'utf8'),
  ) ?? [];
/** Of the guide: a token, and a request. */
const [, FIRST = ''] = /```sh\n(TOKEN=.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];

const hasTools = ['bash', 'curl', 'openssl'].every(
  (tool) => spawnSync(tool, ['version']).error === undefined,
);

describe.skipIf(!hasTools)('verifying signatures as the guide says', () => {
  const folder = makeTemporaryFolder();
  const path = (name: string) => join(folder.path, name);
  let service: TestService;
  let env: Record<string, string>;

  beforeAll(async () => {
    const authority = makeAuthority('authority');
    const { certificate, key } = authority.issue('localhost', undefined, { keyType: 'rsa' });
    writeFileSync(path('root.pem'), authority.certificate);
    writeFileSync(path('a.crt'), certificate);
    writeFileSync(path('a.key'), key, { mode: 0o600 });
    const port = await freePort();
    service = await startServiceIn(path('data'), {
      port,
      publicUrl: `https://localhost:${port}`,
      tlsCertificate: path('a.crt'),
      tlsKey: path('a.key'),
      processorCertificateFile: path('a.crt'),
      processorKeyFile: path('a.key'),
    });
    const { client_id, client_secret, audience } = await service.client('acme');
    const npx = path('npx');
    writeFileSync(npx, `#!/bin/bash\nshift; exec ${process.execPath} ${MAIN} "$@"\n`);
    chmodSync(npx, 0o755);
    env = {
      PATH: `${folder.path}:${dirname(process.execPath)}:${process.env.PATH}`,
      BASE: service.config.publicUrl,
      DOMAIN: 'localhost',
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
      AUDIENCE: audience,
      // What makes this machine trust the authority: for curl, openssl and Node.
      CURL_CA_BUNDLE: path('root.pem'),
      SSL_CERT_FILE: path('root.pem'),
      NODE_EXTRA_CA_CERTS: path('root.pem'),
    };
  });
  afterAll(async () => {
    await service.close();
    folder.remove();
  });

  function bash(...lines: string[]) {
    const script = ['set -euo pipefail', ...lines].join('\n');
    return new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile('bash', ['-c', script], { cwd: folder.path, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  }

  it('works, with opendsr and with openssl alone', async () => {
    const { code, output } = await bash(FIRST.replace(/^curl .* -X DELETE .*$/m, ''), BLOCK);
    expect([code, output]).toEqual([0, expect.stringContaining('Verified OK')]);
    expect(output).toContain('The signature is valid.');
    expect(output).toContain('certificate.pem: OK');
  }, 60_000);

  it('fails with a body that was changed', async () => {
    const [check = ''] = /^openssl dgst .*$/m.exec(BLOCK) ?? [];
    const changed = "sed -i.old 's/pending/completed/' body.json";
    expect((await bash(changed, check)).output).toMatch(/Verification failure/i);
  }, 60_000);
});
