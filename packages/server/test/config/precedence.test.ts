import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setting } from '../../src/config/setting.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { useGivenSettings } from './given.ts';

const { load, problems, write, directory } = useGivenSettings();

describe('a setting', () => {
  it('has one name in three spellings, except targets, which can only be in the file', () => {
    for (const key of SETTING_KEYS) {
      const { name, flag, environment }: Setting<unknown> = SETTINGS[key];
      if (name === 'targets') {
        expect([flag, environment]).toEqual([null, null]);
        continue;
      }
      expect(flag).toBe(`--${name.replaceAll(/[._]/g, '-')}`);
      const plain = name.replaceAll('.', '_').toUpperCase();
      expect(environment).toBe(['HOST', 'PORT'].includes(plain) ? plain : `UNWRITE_${plain}`);
    }
  });

  it('comes from the flag before the environment before the file', () => {
    const flags = { tokenLifetime: '1m' };
    const environment = { UNWRITE_TOKEN_LIFETIME: '2m' };
    const file = 'token_lifetime: 3m';
    expect(load({ flags, environment, file }).config.tokenLifetime).toBe(60);
    expect(load({ environment, file }).config.tokenLifetime).toBe(120);
    expect(load({ file }).config.tokenLifetime).toBe(180);
    expect(load({ file: '' }).config.tokenLifetime).toBe(3600);
  });

  it('remembers where it came from', () => {
    const { sources, file } = load({
      flags: { port: '9000' },
      environment: { HOST: '0.0.0.0' },
      file: 'log_level: warn',
    });
    expect(sources).toEqual({ port: '--port', host: 'HOST', logLevel: file });
    expect(file).toBe(join(directory(), 'unwrite.config.yaml'));
  });

  it('counts as not given when its variable is empty, or null in the file', () => {
    const { config } = load({ environment: { PORT: '', HOST: '' }, file: 'host: null\nport: ~' });
    expect([config.host, config.port]).toEqual(['127.0.0.1', 8080]);
  });
});

describe('the configuration file', () => {
  it('may be named by UNWRITE_CONFIG, and by --config before that', () => {
    const one = write('one.yaml', 'port: 9001');
    const two = write('two.yaml', 'port: 9002');
    expect(load({ environment: { UNWRITE_CONFIG: one } }).config.port).toBe(9001);
    const both = { flags: { config: two }, environment: { UNWRITE_CONFIG: one } };
    expect(load(both).config.port).toBe(9002);
    expect(load({ environment: { UNWRITE_CONFIG: 'one.yaml' } }).config.port).toBe(9001);
  });

  it('must exist if it is named, and may be missing otherwise', () => {
    expect(load({}).file).toBeUndefined();
    expect(problems({ environment: { UNWRITE_CONFIG: 'nowhere.yaml' } })).toEqual([
      `${join(directory(), 'nowhere.yaml')}: there is no such file`,
    ]);
  });

  it.each([
    ['a list', '- port: 1'],
    ['a text', 'hello'],
  ])('is refused when it holds %s', (_, file) => {
    expect(problems({ file })).toEqual([expect.stringContaining('must hold settings')]);
  });

  it('is refused if it is not YAML, without quoting a secret in it', () => {
    const [problem] = problems({ file: 'master_key: "c2VjcmV0\nport: [' });
    expect(problem).toMatch(/unwrite\.config\.yaml:2:\d+: /);
    expect(problem).not.toContain('c2VjcmV0');
  });

  it('is refused when aliases make it endless', () => {
    const lines = ['a: &a [x, x]'];
    for (const [now, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg']) {
      lines.push(`${now}: &${now} [${Array(9).fill(`*${before}`)}]`);
    }
    expect(problems({ file: lines.join('\n') })).toEqual([
      expect.stringMatching(/aliases \(\*name\) expand/),
    ]);
  });

  it('is refused when it names a setting twice', () => {
    expect(problems({ file: 'port: 1\nport: 2' })).toEqual([expect.stringMatching(/unique/)]);
  });
});

describe('what follows from other settings', () => {
  it('is the public URL from the port, and domain and audience from the public URL', () => {
    expect(load({ flags: { port: '9000' } }).config).toMatchObject({
      publicUrl: 'http://localhost:9000',
      domain: 'localhost',
      audience: 'http://localhost:9000',
    });
    const environment = { UNWRITE_PUBLIC_URL: 'https://erase.example.com/' };
    expect(load({ environment }).config).toMatchObject({
      publicUrl: 'https://erase.example.com',
      domain: 'erase.example.com',
      audience: 'https://erase.example.com',
    });
  });

  it('is the master key file from the data folder', () => {
    const { config } = load({ environment: { UNWRITE_DATA_DIR: 'elsewhere' } });
    expect(config.dataDir).toBe(join(directory(), 'elsewhere'));
    expect(config.masterKeyFile).toBe(join(directory(), 'elsewhere', 'master.key'));
  });

  it('is the folder of a relative witness file from the configuration file', () => {
    const { config } = load({ file: 'audit: { witness_file: heads.jsonl }' });
    expect(config.auditWitnessFile).toBe(join(directory(), 'heads.jsonl'));
  });
});

describe('the master key', () => {
  const key = 'a'.repeat(64);

  it('if the key and its file are given in two places, the place with precedence decides', () => {
    const flag = load({ flags: { masterKeyFile: 'k' }, environment: { UNWRITE_MASTER_KEY: key } });
    expect(flag.config.masterKey).toBeUndefined();
    expect(flag.config.masterKeyFile).toBe(join(directory(), 'k'));
    const variable = load({
      environment: { UNWRITE_MASTER_KEY_FILE: 'k' },
      file: `master_key: ${key}`,
    });
    expect(variable.config.masterKey).toBeUndefined();
    expect(variable.sources).toEqual({ masterKeyFile: 'UNWRITE_MASTER_KEY_FILE' });
    const other = load({ environment: { UNWRITE_MASTER_KEY: key }, file: 'master_key_file: k' });
    expect(other.config.masterKey).toBe(key);
  });

  it('the key and its file are refused in the same place', () => {
    const environment = { UNWRITE_MASTER_KEY: key, UNWRITE_MASTER_KEY_FILE: 'k' };
    expect(problems({ environment })).toEqual([
      'UNWRITE_MASTER_KEY and UNWRITE_MASTER_KEY_FILE are both set; keep one',
    ]);
    expect(problems({ file: `master_key: ${key}\nmaster_key_file: k` })).toEqual([
      'master_key and master_key_file are both set; keep one',
    ]);
  });
});

describe('a setting with a dot in its name', () => {
  it('is in a group in the file, and has a flag and a variable like any other', () => {
    const file = 'retention:\n  identities: 3d\n  records: 9d\n  backups: 1h';
    const environment = { UNWRITE_RETENTION_RECORDS: '10d', UNWRITE_RETENTION_BACKUPS: '2h' };
    const { config, warnings } = load({ file, environment, flags: { retentionBackups: '0s' } });
    expect(config).toMatchObject({
      retentionIdentities: 3 * 86_400,
      retentionRecords: 10 * 86_400,
      retentionBackups: 0,
    });
    expect(warnings).toEqual([]);
  });

  it('may be left out with its whole group', () => {
    expect(load({ file: 'retention:' }).config.retentionIdentities).toBe(35 * 86_400);
  });
});
