import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { checkSettings } from './check-settings.ts';
import { findTool, output, ROOT, runTool } from './tools.ts';

interface Service {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string }[];
  readonly volumes?: readonly { readonly source: string; readonly target: string }[];
}

const compose = findTool('docker-compose', 'docker-compose');
const promtool = findTool('promtool', 'promtool');
const caddy = findTool('caddy', 'caddy');
const inFolder = (path: string) => join(ROOT, 'deploy', path);
const folder = makeTemporaryFolder();
afterAll(folder.remove);

describe.runIf(compose)('deploy/compose', () => {
  const services = (): Record<string, Service> =>
    JSON.parse(
      output(
        compose ?? '',
        ['--file', inFolder('compose/compose.yaml'), 'config', '--format', 'json'],
        { SITE: 'unwrite.example.com', UNWRITE_VERSION: '1.2.3' },
      ),
    ).services;
  const nodes = () =>
    Object.entries(services()).filter(([, { image }]) => image === 'unwrite:1.2.3');

  it('has two API nodes and a worker, each with a data folder of its own', () => {
    const kinds = nodes().map(([name, { environment }]) => [name, environment?.UNWRITE_ROLE]);
    expect(kinds).toEqual([
      ['api-1', 'api'],
      ['api-2', 'api'],
      ['worker', 'worker'],
    ]);
    const data = nodes().map(
      ([, { volumes }]) => volumes?.find(({ target }) => target === '/var/lib/unwrite')?.source,
    );
    expect(data).toEqual(['api-1', 'api-2', 'worker']);
  });

  it('gives them a read-only root and no capabilities', () => {
    for (const [, node] of nodes())
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  it('publishes the proxy, and the rest on loopback alone', () => {
    const published = Object.entries(services()).flatMap(([name, { ports = [] }]) =>
      ports.map(({ host_ip = 'any', published: port }) => `${name} ${host_ip} ${port}`),
    );
    expect(published).toEqual([
      'dashboard 127.0.0.1 3000',
      'prometheus 127.0.0.1 9090',
      'proxy any 80',
      'proxy any 443',
    ]);
  });

  it('names every image by a version', () => {
    for (const { image } of Object.values(services())) expect(image).toMatch(/:v?\d+(\.\d+)*$/);
  });

  it('gives settings that Unwrite accepts', async () => {
    const file = readFileSync(inFolder('compose/unwrite.config.yaml'), 'utf8');
    for (const [name, { environment = {} }] of nodes()) {
      const said = await checkSettings(join(folder.path, name), environment, file);
      expect([name, said]).toEqual([
        name,
        expect.stringMatching(/^The settings are valid [^\n]*\n$/),
      ]);
    }
  });

  it('has Prometheus ask every node on its management port', () => {
    const { scrape_configs } = parse(readFileSync(inFolder('prometheus/prometheus.yml'), 'utf8'));
    const asked = scrape_configs.flatMap(
      ({
        job_name,
        static_configs,
      }: {
        job_name: string;
        static_configs: { targets: string[] }[];
      }) => (job_name === 'unwrite' ? static_configs.flatMap(({ targets }) => targets) : []),
    );
    const ports = nodes().map(
      ([name, { environment }]) => `${name}:${environment?.UNWRITE_MANAGEMENT_PORT}`,
    );
    expect(asked).toEqual(ports);
  });

  it('has a proxy that asks every API node', () => {
    const source = readFileSync(inFolder('compose/Caddyfile'), 'utf8');
    expect(source).toContain('reverse_proxy api-1:8080 api-2:8080 {');
  });
});

it.runIf(promtool)('Prometheus accepts its configuration, with what it names', () => {
  const args = ['check', 'config', '--lint-fatal', inFolder('prometheus/prometheus.yml')];
  expect(runTool(promtool ?? '', args)).toMatchObject({ status: 0 });
});

it.runIf(caddy)('Caddy accepts its configuration', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', inFolder('compose/Caddyfile')];
  const env = { SITE: 'localhost', XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  expect(runTool(caddy ?? '', args, env)).toMatchObject({ status: 0 });
});
