// A certificate that is replaced while two nodes answer.
import { verify, X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call } from '../helpers/http/api.ts';
import { type Certificate, makeAuthority } from '../helpers/http/certificates.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const DOMAIN = 'unwrite.test';
const authority = makeAuthority('authority');

describe.skipIf(!(await hasPostgres()))('the certificate of two nodes', () => {
  let installation: TestNodes;
  let folder: TemporaryFolder;
  let token: string;
  const path = (name: string) => join(folder.path, name);

  function replace(name: string, text: string): void {
    writeFileSync(path('new'), text);
    renameSync(path('new'), path(name));
  }

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    const first = authority.issue(DOMAIN);
    replace('a.crt', first.certificate);
    replace('a.key', first.key);
    const flags = {
      processorCertificateFile: path('a.crt'),
      processorKeyFile: path('a.key'),
    };
    installation = await startNodes({ roles: ['api', 'all'], flags });
    token = (await installation.nodes[0]?.token()) ?? '';
  });
  afterAll(async () => {
    await installation?.close();
    folder.remove();
  });

  const served = () =>
    Promise.all(
      installation.nodes.map(async ({ url }) => (await call(`${url}/certificate.pem`)).text),
    );

  /** By the certificate of the node itself. */
  async function areSigned(): Promise<boolean[]> {
    const pems = await served();
    return Promise.all(
      installation.nodes.map(async ({ url }, n) => {
        const { text, headers } = await call(`${url}/discovery`, { token });
        const signature = Buffer.from(headers.get('X-OpenDSR-Signature') ?? '', 'base64');
        const { publicKey } = new X509Certificate(pems[n] ?? '');
        return verify('sha256', Buffer.from(text), publicKey, signature);
      }),
    );
  }

  const areAll = ({ certificate }: Certificate) =>
    until(
      async () => (await served()).every((pem) => pem === certificate),
      () => 'a node has the old certificate still',
    );

  it('is replaced on both, without a restart', async () => {
    expect(await areSigned()).toEqual([true, true]);
    const next = authority.issue(DOMAIN, undefined, { keyType: 'rsa' });
    replace('a.key', next.key);
    replace('a.crt', next.certificate);
    await areAll(next);
    expect(await areSigned()).toEqual([true, true]);
  });

  it('stays on both where the new one cannot be used, and one alarm is raised', async () => {
    const [before] = await served();
    replace('a.crt', authority.issue('other.test').certificate);
    const { database } = installation;
    const statement = `SELECT kind FROM @alarms WHERE kind = 'certificate_refused'`;
    const raised = async () => (await database.all(statement)).length;
    await until(
      async () => (await raised()) > 0,
      () => 'no alarm was raised',
    );
    // A certificate that both take afterwards: by then both have seen the other one.
    const next = authority.issue(DOMAIN);
    expect(await served()).toEqual([before, before]);
    replace('a.key', next.key);
    replace('a.crt', next.certificate);
    await areAll(next);
    expect(await raised()).toBe(1);
  });
});
