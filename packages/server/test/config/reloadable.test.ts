// What a running server takes over, and what it refuses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { compareConfigs, configDigest } from '../../src/config/reloadable.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const SHOP = `
  shop:
    connector: sqlite
    file: ./shop.db
    tenancy: none
    tables: [{ table: users, match: { email: email } }]`;

function configs(...files: readonly string[]) {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'unwrite.config.yaml');
  writeFileSync(join(folder.path, 'erase.mjs'), 'export const erase = 1;');
  return files.map((text) => {
    writeFileSync(file, text);
    return loadConfig({}, {}, folder.path).config;
  });
}

function change(before: string, after: string) {
  const [running, next] = configs(before, after);
  if (running === undefined || next === undefined) throw new Error('two are given');
  return compareConfigs(running, next);
}

describe('a reload', () => {
  it.each([
    ['targets', '', `targets:${SHOP}`],
    ['cancellation_window', 'cancellation_window: 1h', 'cancellation_window: 2h'],
    ['alarms.webhook', '', 'alarms: { webhook: "https://alarms.example.com/" }'],
    ['retention.records', '', 'retention: { records: 90d }'],
    ['max_starts_per_day', '', 'max_starts_per_day: 5'],
  ])('takes over %s', (name, before, after) => {
    expect(change(before, after)).toEqual({
      changed: expect.arrayContaining([name]),
      refusals: [],
    });
  });

  it.each([
    ['port', 'port: 8081'],
    ['data_dir', 'data_dir: ./other'],
    ['store', 'store: postgres://localhost/unwrite'],
    ['master_key_file', 'master_key_file: ./other.key'],
    ['trust_proxy', 'trust_proxy: 1'],
    ['operator_links', 'operator_links: off'],
    ['operator_sso.issuer', 'operator_sso: { issuer: "https://id.example.com", client_id: x }'],
    ['log_level', 'log_level: debug'],
  ])('refuses %s', (name, after) => {
    const { refusals } = change('', `${after}\ntargets:${SHOP}`);
    expect(refusals).toContain(`${name} has changed: restart the server for it`);
  });

  it('refuses a module that is new, changed or gone', () => {
    const module = '\n  own: { connector: module, file: ./erase.mjs }';
    const refusals = ['the module of target own has changed: restart the server for it'];
    expect(change(`targets:${SHOP}`, `targets:${SHOP}${module}`)).toMatchObject({ refusals });
    expect(change(`targets:${SHOP}${module}`, `targets:${SHOP}`)).toMatchObject({ refusals });
    const held = '\n  own: { connector: module, file: ./erase.mjs, max_rows_per_subject: 5 }';
    expect(change(`targets:${module}`, `targets:${held}`)).toMatchObject({ refusals });
    expect(change(`targets:${module}`, `targets:${module}${SHOP}`)).toMatchObject({ refusals: [] });
  });
});

describe('the digest of a configuration', () => {
  const digests = (...files: readonly string[]) => configs(...files).map(configDigest);

  it('differs where nodes should not, and is the same where they may differ', () => {
    const [plain, other, limited] = digests(
      `targets:${SHOP}`,
      `port: 9000\nrole: all\ntargets:${SHOP}`,
      `targets:${SHOP}\n    max_rows_per_day: 7`,
    );
    expect(other).toBe(plain);
    expect(limited).not.toBe(plain);
    expect(digests('cancellation_window: 1h')).not.toEqual(digests('cancellation_window: 2h'));
  });

  it('has no secret in it, not even hashed', () => {
    const database = (password: string) =>
      `targets:\n  db: { connector: postgres, url: "postgres://a:${password}@localhost/x", tenancy: none, tables: [{ table: users, match: { email: email } }] }`;
    const [one, two] = digests(database('first'), database('second'));
    expect(one).toBe(two);
  });
});
