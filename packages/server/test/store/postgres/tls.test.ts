// A server that lets nobody in without TLS: what each way of connecting to it gets, and what the command
// line says where it gets nothing.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/store/postgres/database.ts';
import { runHere } from '../../cli/run-here.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { type DatabaseServer, startGuarded } from '../../helpers/databases/guarded-server.ts';
import { postJson } from '../../helpers/http/api.ts';
import { makeAuthority } from '../../helpers/http/certificates.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { startNodes } from '../../helpers/servers/nodes.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

// The certificate is for localhost, not for the address.
const NAME = 'localhost';
const ADDRESS = '127.0.0.1';

const PATIENCE = { timeout: 15_000, interval: 100 };

interface Refused {
  readonly what: string;
  readonly host?: string;
  readonly user?: string;
  readonly parameters: Record<string, string>;
  readonly says: RegExp;
}

describe.skipIf(!(await hasPostgres()))('a store whose server wants TLS', () => {
  let folder: TemporaryFolder;
  let server: DatabaseServer;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    const authority = makeAuthority('the authority');
    const { certificate, key } = authority.issue(NAME);
    const client = authority.issue('certified');
    const stranger = makeAuthority('another authority').issue('certified');
    const files = {
      'ca.crt': authority.certificate,
      'server.crt': certificate,
      'server.key': key,
      'client.crt': client.certificate,
      'client.key': client.key,
      'stranger.crt': stranger.certificate,
      'stranger.key': stranger.key,
      'other-ca.crt': makeAuthority('a third authority').certificate,
      'no.key': 'This is no key.',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text);
    server = await startGuarded('tls-postgres', folder.path);
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  const file = (name: string) => `${folder.path}/${name}`;

  function addressOf(host: string, user: string, parameters: Record<string, string>): string {
    const url = new URL('postgres', server.url);
    url.hostname = host;
    url.username = user;
    for (const [name, value] of Object.entries(parameters)) {
      url.searchParams.set(name, name === 'sslmode' ? value : file(value));
    }
    return url.href;
  }

  async function isEncrypted(url: string): Promise<boolean | undefined> {
    const options = { schema: 'x', poolSize: 1, statementTimeout: null, prepare: false };
    const database = openDatabase({ url, name: 'unwrite test', ...options });
    try {
      const row = await database.get<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row?.ssl;
    } finally {
      await database.close();
    }
  }

  it.each<[string, string, Record<string, string>]>([
    ['sslmode=require', ADDRESS, { sslmode: 'require' }],
    ['require and the right authority', ADDRESS, { sslmode: 'require', sslrootcert: 'ca.crt' }],
    ['verify-ca by another name', ADDRESS, { sslmode: 'verify-ca', sslrootcert: 'ca.crt' }],
    ['verify-full', NAME, { sslmode: 'verify-full', sslrootcert: 'ca.crt' }],
    ['an authority alone, which is verify-full', NAME, { sslrootcert: 'ca.crt' }],
  ])('lets in by %s', async (_, host, parameters) => {
    expect(await isEncrypted(addressOf(host, 'unwrite', parameters))).toBe(true);
  });

  it('lets in a user with a certificate', async () => {
    const user = { sslmode: 'verify-full', sslrootcert: 'ca.crt', sslcert: 'client.crt' };
    const makeRole = openDatabase({
      url: addressOf(NAME, 'unwrite', { sslmode: 'require' }),
      schema: 'x',
      poolSize: 1,
      statementTimeout: null,
      prepare: false,
      name: 'unwrite test',
    });
    await makeRole.run('CREATE ROLE certified LOGIN').finally(makeRole.close);
    const url = addressOf(NAME, 'certified', { ...user, sslkey: 'client.key' });
    expect(await isEncrypted(url)).toBe(true);
  });

  it.each<Refused>([
    {
      what: 'no TLS',
      parameters: {},
      says: /pg_hba\.conf, and whether it requires TLS: set sslmode=verify-full/,
    },
    {
      what: 'an authority that did not sign',
      parameters: { sslmode: 'verify-full', sslrootcert: 'other-ca.crt' },
      says: /not signed by an authority that this machine trusts; .* sslrootcert/,
    },
    {
      what: 'an authority that did not sign, though nothing says that it must',
      parameters: { sslmode: 'require', sslrootcert: 'other-ca.crt' },
      says: /not signed by an authority that this machine trusts/,
    },
    {
      what: 'no authority, which leaves those that Node knows',
      parameters: { sslmode: 'verify-full' },
      says: /not signed by an authority that this machine trusts; .* sslrootcert/,
    },
    {
      what: 'another name than the certificate has',
      host: ADDRESS,
      parameters: { sslmode: 'verify-full', sslrootcert: 'ca.crt' },
      says: /certificate is for other host names .* sslmode=verify-ca/,
    },
    {
      what: 'a file that is not there',
      parameters: { sslmode: 'verify-full', sslrootcert: 'nowhere.crt' },
      says: /nowhere\.crt, which is its sslrootcert, cannot be read \(ENOENT\)/,
    },
    {
      what: 'a key that is none',
      parameters: { sslmode: 'require', sslcert: 'client.crt', sslkey: 'no.key' },
      says: /TLS failed \(ERR_OSSL_\w+\); check sslcert and sslkey/,
    },
    {
      what: 'no certificate of the user',
      user: 'certified',
      parameters: { sslmode: 'require' },
      says: /it refused this user from this machine; check its pg_hba\.conf\n/,
    },
    {
      what: 'a certificate of the user that a stranger signed',
      user: 'certified',
      parameters: { sslmode: 'require', sslcert: 'stranger.crt', sslkey: 'stranger.key' },
      says: /TLS failed \(ERR_SSL_\w+\)/,
    },
  ])('says what to do with $what', async ({ host = NAME, user = 'unwrite', parameters, says }) => {
    const url = addressOf(host, user, parameters);
    const { exitCode, stderr } = await runHere(['migrate', 'status'], {
      env: { ...process.env, UNWRITE_STORE: url },
    });
    expect(stderr).toMatch(says);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(1);
  });

  it('is used by the API, the worker and its queue', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: 'ca.crt' };
    const nodes = await startNodes({
      roles: ['all'],
      config: 'cancellation_window: 0s\n',
      url: addressOf(NAME, 'unwrite', parameters),
    });
    try {
      const [node] = nodes.nodes;
      const token = await node?.token();
      const body = requestBody();
      expect((await postJson(`${node?.url}/requests`, body, token)).status).toBe(201);
      await vi.waitFor(async () => {
        expect(await nodes.command('manual', 'list')).toHaveLength(1);
      }, PATIENCE);
    } finally {
      await nodes.close();
    }
  });

  it('says so where the server does not speak TLS', async () => {
    // All that it says of TLS: https://www.postgresql.org/docs/current/protocol-flow.html
    const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
    await once(plain.listen(0, ADDRESS), 'listening');
    try {
      const { port } = plain.address() as AddressInfo;
      const url = `postgresql://unwrite@${ADDRESS}:${port}/postgres?sslmode=require`;
      const { exitCode, stderr } = await runHere(['migrate', 'status'], {
        env: { ...process.env, UNWRITE_STORE: url },
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it does not support TLS')]);
    } finally {
      plain.close();
    }
  });
});
