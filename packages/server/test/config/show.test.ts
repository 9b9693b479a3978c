import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { showSettings } from '../../src/config/show.ts';
import { runUnwrite } from '../helpers/servers/server-process.ts';
import { useGivenSettings } from './given.ts';

const { load, write, directory } = useGivenSettings();

describe('unwrite config show', () => {
  it('prints every setting, its value as one would write it, and where it came from', () => {
    const shown = showSettings(
      load({
        flags: { tokenLifetime: '120' },
        environment: { PORT: '9000', UNWRITE_TRUST_PROXY: '10.0.0.1,10.0.0.2' },
        file: 'rate_limit: off',
      }),
    );
    expect(shown.map(({ name }) => name)).toEqual(SETTING_KEYS.map((key) => SETTINGS[key].name));
    const of = (name: string) => {
      const { value, source } = shown.find((it) => it.name === name) ?? {};
      return [value, source];
    };
    expect(of('token_lifetime')).toEqual(['2m', '--token-lifetime']);
    expect(of('port')).toEqual(['9000', 'PORT']);
    expect(of('trust_proxy')).toEqual(['10.0.0.1,10.0.0.2', 'UNWRITE_TRUST_PROXY']);
    expect(of('rate_limit')).toEqual(['off', `${directory()}/unwrite.config.yaml`]);
    expect(of('public_url')).toEqual(['http://localhost:9000', 'default']);
    expect(of('cancellation_window')).toEqual(['1d', 'default']);
    expect(of('master_key')).toEqual(['-', 'default']);
  });

  it.each([['--json'], []])('masks secrets, wherever they came from %j', (...flags) => {
    const secret = randomBytes(32).toString('base64');
    const given = {
      variable: { environment: { UNWRITE_MASTER_KEY: secret } },
      file: { environment: { UNWRITE_CONFIG: write('secret.yaml', `master_key: ${secret}`) } },
    };
    for (const { environment } of Object.values<{ environment: Record<string, string> }>(given)) {
      const options = { dataDir: `${directory()}/data`, environment, cwd: directory() };
      const result = runUnwrite(['config', 'show', ...flags], options);
      expect(result.exitCode).toBe(0);
      expect(result.stdout).toContain('********');
      expect(result.stdout + result.stderr).not.toContain(secret);
    }
  });

  it('prints JSON for scripts', () => {
    const { stdout } = runUnwrite(['config', 'show', '--json'], { port: 9001, cwd: directory() });
    const { file, settings } = JSON.parse(stdout);
    expect(file).toBeNull();
    expect(settings).toContainEqual({ name: 'port', value: '9001', source: 'PORT' });
  });

  it('makes neither a store nor a key', () => {
    const result = runUnwrite(['config', 'show'], { dataDir: `${directory()}/data` });
    expect(result.exitCode).toBe(0);
    expect(
      runUnwrite(['migrate', 'status', '--json'], { dataDir: `${directory()}/data` }).stdout,
    ).toContain('"applied": []');
  });
});
