import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type EndpointServer, startEndpoint } from '../../connectors/http/endpoint-server.ts';
import { useInstallation } from '../use-installation.ts';

const SECRET = 'hunter2hunter2';
const { unwrite, json, folder } = useInstallation();
let endpoint: EndpointServer;

function configure(targets: Record<string, unknown>): void {
  writeFileSync(`${folder()}/unwrite.config.yaml`, stringify({ targets }));
}

const http = (url: string) => ({
  connector: 'http',
  url,
  bearer: SECRET,
  allow_private: true,
  timeout: '2s',
});
const paper = { connector: 'manual', controllers: ['acme', 'globex'] };
const shop = {
  connector: 'postgres',
  url: `postgres://u:${SECRET}@127.0.0.1:9/shop`,
  mode: 'preview',
  tenant_column: 'account',
  hours: '22:00-06:00 Europe/Berlin',
  tables: [{ table: 'customers', match: { email: 'email' } }],
};

beforeAll(async () => {
  endpoint = await startEndpoint(() => ({ ok: true, subjects: [] }));
});
afterAll(() => endpoint.close());

describe('unwrite target list', () => {
  it('prints the settings of each target, without its secrets', async () => {
    configure({ shop, crm: http(endpoint.url), paper });
    const { stdout, stderr } = await unwrite('target', 'list');
    expect(stdout).toMatch(/^NAME +STATE +CONNECTOR +MODE +TENANCY +CONTROLLERS +HOURS +DIGEST\n/);
    expect(stdout).toMatch(
      /shop +up +postgres +preview +column +all +22:00-06:00 Europe\/Berlin +[0-9a-f]{32}/,
    );
    expect(stdout).toMatch(/paper +manual +manual +erase +- +acme,globex +always/);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('prints JSON for scripts', async () => {
    configure({ shop });
    expect(await json('target', 'list')).toEqual([
      {
        name: 'shop',
        connector: 'postgres',
        mode: 'preview',
        tenancy: 'column',
        controllers: null,
        hours: '22:00-06:00 Europe/Berlin',
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
        state: 'up',
        paused: false,
        trouble: null,
      },
    ]);
  });

  it('says that there are no targets', async () => {
    configure({});
    expect((await unwrite('target', 'list')).stdout).toMatch(
      /^No targets are configured: every request/,
    );
    expect(await json('target', 'list')).toEqual([]);
  });
});

describe('unwrite target check', () => {
  it('prints what it checked, line by line, and needs no store', async () => {
    configure({ crm: http(endpoint.url), paper });
    const { exitCode, stdout } = await unwrite('target', 'check');
    expect(stdout).toMatch(
      /^crm \(http\)\n( {2}ok +.*\n)+paper \(manual\)\n {2}ok +paper +a person erases/,
    );
    expect(stdout).toMatch(/\n2 targets checked: 0 problems, 0 warnings\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('exits with 1 if there is a problem, and still checks the other targets', async () => {
    configure({ away: http('http://127.0.0.1:9/erase'), paper });
    const { exitCode, stdout, stderr } = await unwrite('target', 'check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/away \(http\)\n( .*\n)* {2}problem +.*cannot be reached/);
    expect(stdout).toMatch(/paper +a person erases/);
    expect(stdout).toContain('2 targets checked: 1 problem, 0 warnings.');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('checks one target if it is named, and prints JSON for scripts', async () => {
    configure({ away: http('http://127.0.0.1:9/erase'), paper });
    expect(await json('target', 'check', 'paper')).toEqual([
      {
        name: 'paper',
        connector: 'manual',
        ok: true,
        lines: [{ level: 'ok', subject: 'paper', message: 'a person erases and confirms' }],
      },
    ]);
    const away = await unwrite('target', 'check', 'away', '--json');
    expect(away.exitCode).toBe(1);
    expect(JSON.parse(away.stdout)).toMatchObject([{ name: 'away', ok: false }]);
  });

  it("reports a module that is broken as that target's problem", async () => {
    mkdirSync(`${folder()}/own`, { recursive: true });
    writeFileSync(`${folder()}/own/broken.ts`, `throw new Error('${SECRET}');`);
    configure({ own: { connector: 'module', file: 'own/broken.ts' }, paper });
    const { exitCode, stdout, stderr } = await unwrite('target', 'check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/own \(module\)\n {2}problem +own +/);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('lists the existing targets if the name is not one of them', async () => {
    configure({ paper });
    const { exitCode, stderr } = await unwrite('target', 'check', 'papper');
    expect([exitCode, stderr]).toEqual([
      1,
      'unwrite: there is no target papper; there are: paper\n',
    ]);
    configure({});
    expect((await unwrite('target', 'check')).stderr).toContain('No targets are configured');
  });
});
