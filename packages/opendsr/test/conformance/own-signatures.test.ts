// Our own server with a certificate: what it signs is verified by the SDK and by the kit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErasureClient, NotSignedError } from '../../../client/src/index.ts';
import { createCertificateVerifier } from '../../../client/src/node.ts';
import { REQUEST } from '../../../client/test/helpers/processor.ts';
import { makeCertificate } from '../../../protocol/test/helpers/make-certificate.ts';
import { freePort } from '../../../server/test/helpers/free-port.ts';
import { startService, type TestService } from '../../../server/test/helpers/servers/service.ts';
import { makeTemporaryFolder } from '../../../server/test/helpers/temporary-folder.ts';
import { opendsr } from '../helpers/run.ts';

const DEVIATIONS = fileURLToPath(
  new URL('../../../../docs/opendsr-deviations.json', import.meta.url),
);
const DOMAIN = 'localhost';

describe('our own server, with a certificate', () => {
  const folder = makeTemporaryFolder();
  const root = makeCertificate({ commonName: 'Root', isAuthority: true });
  const leaf = makeCertificate({ names: [DOMAIN], keyUsage: 0x80 }, root);
  let service: TestService;
  let url: string;
  let options: ConstructorParameters<typeof ErasureClient>[0];
  let env: Record<string, string>;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://${DOMAIN}:${port}`;
    service = await startService({
      port,
      publicUrl: url,
      processorCertificate: leaf.pem,
      processorKey: leaf.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
    const { client_id, client_secret, audience } = await service.client('acme');
    const [clientId, clientSecret] = [client_id, client_secret];
    options = { baseUrl: url, tokenUrl: `${url}/oauth/token`, clientId, clientSecret, audience };
    env = {
      OPENDSR_BASE_URL: `${url}/v2`,
      OPENDSR_TOKEN_URL: `${url}/oauth/token`,
      OPENDSR_CLIENT_ID: client_id,
      OPENDSR_CLIENT_SECRET: client_secret,
      OPENDSR_AUDIENCE: audience,
    };
    writeFileSync(join(folder.path, 'root.pem'), root.pem);
  });
  afterAll(async () => {
    await service?.close();
    folder.remove();
  });

  it.each(['contract', 'opendsr'])('keeps every rule, against %s', async (against) => {
    const deviations = against === 'opendsr' ? ['--deviations', DEVIATIONS] : [];
    const args = ['conformance', '--against', against, '--root', 'root.pem', ...deviations];
    const { exitCode, stdout } = await opendsr([...args, '--format', 'json'], {
      cwd: folder.path,
      env,
    });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; outcome: string }[] };
    const others = checks.filter(({ outcome }) => outcome !== 'kept' && outcome !== 'deviation');
    expect([exitCode, others]).toEqual([0, []]);
  });

  it('signs what a client of the SDK believes, and nothing that another key would have signed', async () => {
    const pem = new TextDecoder().decode(
      (await new ErasureClient(options).send({ path: '/certificate.pem', authorize: false })).bytes,
    );
    const verify = createCertificateVerifier({ processors: { [DOMAIN]: pem }, roots: [root.pem] });
    const client = new ErasureClient({ ...options, verify });
    const { subjectRequestId: id } = await client.submit(REQUEST);
    await client.status(id);
    await client.cancel(id);
    await client.discover();
    const other = makeCertificate({ names: [DOMAIN] }, root);
    const strict = createCertificateVerifier({
      processors: { [DOMAIN]: other.pem },
      roots: [root.pem],
    });
    const doubting = new ErasureClient({ ...options, verify: strict });
    await expect(doubting.discover()).rejects.toThrow(NotSignedError);
  });
});
