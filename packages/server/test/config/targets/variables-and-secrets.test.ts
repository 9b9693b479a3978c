// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the configuration file
import { describe, expect, it } from 'vitest';
import { runUnwrite } from '../../helpers/servers/server-process.ts';
import { httpTarget, sqlTarget, useWrittenTargets } from './written-targets.ts';

const settings = useWrittenTargets();
const { load, one, problemsOf, write, directory } = settings;

describe('a variable in a target', () => {
  it('stands for its value, anywhere in a text', () => {
    const target = sqlTarget({
      url: 'postgres://${DB_USER}:${DB_PASSWORD}@db/shop',
      batch_size: '${SIZE}',
      tables: [{ table: '${PREFIX}people', match: { email: 'mail' } }],
    });
    const environment = { DB_USER: 'u', DB_PASSWORD: 'p', SIZE: '7', PREFIX: 'x_' };
    expect(one(target, environment)).toMatchObject({
      address: 'postgres://u:p@db/shop',
      batchSize: 7,
      work: { tables: [{ table: 'x_people' }] },
    });
  });

  it('may come from a file, when the variable itself is not set', () => {
    const file = write('token', '  from-file\n');
    const target = httpTarget({ bearer: '${TOKEN}' });
    expect(one<'http'>(target, { TOKEN_FILE: file }).auth).toEqual({
      kind: 'bearer',
      token: 'from-file',
    });
    expect(one<'http'>(target, { TOKEN_FILE: file, TOKEN: 'own' }).auth).toMatchObject({
      token: 'own',
    });
    expect(one<'http'>(target, { TOKEN_FILE: file, TOKEN: '' }).auth).toMatchObject({
      token: 'from-file',
    });
  });

  it('may be escaped to be used literally', () => {
    const target = httpTarget({ bearer: '$${TOKEN}-$5-$$' });
    expect(one<'http'>(target).auth).toMatchObject({ token: '${TOKEN}-$5-$$' });
  });

  it('is missed by name, once, with target and field', () => {
    expect(problemsOf({ shop: sqlTarget({ url: '${SHOP_URL}' }) }, { OTHER: 'x' })).toEqual([
      'targets.shop.url: the variable SHOP_URL is not set; set it, or SHOP_URL_FILE to a file',
    ]);
    const tables = [{ table: '${T}', match: { email: 'mail' } }];
    expect(problemsOf({ shop: sqlTarget({ tables }) })).toEqual([
      expect.stringMatching(/^targets\.shop\.tables\[0\]\.table: the variable T is not set/),
    ]);
  });

  it('is missed when its file cannot be read', () => {
    const target = httpTarget({ bearer: '${TOKEN}' });
    expect(problemsOf({ crm: target }, { TOKEN_FILE: `${directory()}/nowhere` })).toEqual([
      'targets.crm.bearer: the file that TOKEN_FILE names cannot be read (ENOENT)',
    ]);
  });

  it.each(['${}', '${A B}', '${UNCLOSED'])('is not %s', (bearer) => {
    expect(problemsOf({ crm: httpTarget({ bearer }) })).toEqual([
      expect.stringMatching(/^targets\.crm\.bearer: has a "\$" and "\{" without a variable's name/),
    ]);
  });
});

describe('secrets of targets', () => {
  const SECRET = 'hunter2hunter2';

  it('are in no problem', () => {
    const found = problemsOf(
      {
        a: sqlTarget({ url: `mysql://u:${SECRET}@db/shop`, mode: SECRET }),
        b: sqlTarget({ url: `postgres://u:${SECRET}#@db/shop` }),
        c: httpTarget({ url: `https://u:${SECRET}@crm.example`, bearer: SECRET, hmac: SECRET }),
        d: httpTarget({ basic: SECRET, timeout: SECRET }),
        e: { connector: SECRET },
        f: sqlTarget({ tables: SECRET, tenants: SECRET, resolve: SECRET, hours: SECRET }),
        g: { connector: 'module', file: './nowhere.ts', options: SECRET },
        h: httpTarget({ bearer: '${WRONG NAME}', hmac: '${V}' }),
      },
      { V: SECRET },
    );
    expect(found.length).toBeGreaterThan(12);
    expect(found.join('\n')).not.toContain(SECRET);
  });

  it.each([['--json'], []])('are not shown, only names and connectors are %j', (...flags) => {
    write(
      'unwrite.config.yaml',
      `targets: {shop: {connector: postgres, url: "postgres://u:${SECRET}@db/shop", tenancy: none, tables: [{table: a, match: {email: b}}]}, crm: {connector: http, url: "https://crm.example/?key=${SECRET}", bearer: ${SECRET}}}`,
    );
    const result = runUnwrite(['config', 'show', ...flags], { cwd: directory() });
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain('shop (postgres), crm (http)');
    expect(result.stdout + result.stderr).not.toContain(SECRET);
  });
});

describe('unwrite config check', () => {
  it('reports problems with targets', () => {
    write('unwrite.config.yaml', 'targets: {shop: {connector: postgres, url: "${SHOP_URL}"}}');
    const { exitCode, stderr } = runUnwrite(['config', 'check'], { cwd: directory() });
    expect(exitCode).toBe(78);
    expect(stderr).toContain('targets.shop.url: the variable SHOP_URL is not set');
    expect(stderr).toContain('targets.shop: must have "tables"');
  });
});

it('a configuration without targets has an empty list of them', () => {
  expect(load({ file: 'targets: {}' }).config.targets).toEqual([]);
  expect(load({ file: 'targets:' }).config.targets).toEqual([]);
  expect(load({ file: '' }).config.targets).toEqual([]);
});
