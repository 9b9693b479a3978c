import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { useGivenSettings } from './given.ts';

const { load, problems } = useGivenSettings();

const STORE_EXPECTED =
  'must be sqlite, or an address such as postgres://unwrite:password@db.example.com/unwrite?sslmode=verify-full';

describe('durations', () => {
  it.each([
    ['90s', 90],
    ['15m', 900],
    ['24h', 86_400],
    ['7d', 604_800],
    ['3600', 3600],
    ['0', 0],
    [' 5m ', 300],
  ])('%j is %i seconds', (text, seconds) => {
    const environment = { UNWRITE_CANCELLATION_WINDOW: text };
    expect(load({ environment }).config.cancellationWindow).toBe(seconds);
  });

  it('are seconds when the file has a bare number', () => {
    expect(load({ file: 'cancellation_window: 90' }).config.cancellationWindow).toBe(90);
  });

  it.each(['1w', '1.5h', '-1s', '5 m', 'soon', '1h30m', '1H', '9999999999s', '0x10', '1e3'])(
    'are not %j',
    (text) => {
      expect(problems({ environment: { UNWRITE_CANCELLATION_WINDOW: text } })).toEqual([
        'UNWRITE_CANCELLATION_WINDOW must be a duration such as 90s, 15m, 24h or 7d',
      ]);
    },
  );

  it.each(['59s', '25h'])('a duration of a token must not be %j', (text) => {
    expect(problems({ flags: { tokenLifetime: text } })).toEqual([
      '--token-lifetime must be from 60s to 24h',
    ]);
  });
});

describe('a value', () => {
  it.each<[string, string, keyof Config, unknown]>([
    ['PORT', '65535', 'port', 65_535],
    ['UNWRITE_RATE_LIMIT', 'off', 'rateLimit', null],
    ['UNWRITE_RATE_LIMIT', '100', 'rateLimit', 100],
    ['UNWRITE_TRUST_PROXY', 'off', 'trustProxy', false],
    ['UNWRITE_TRUST_PROXY', '0', 'trustProxy', false],
    ['UNWRITE_TRUST_PROXY', '2', 'trustProxy', 2],
    ['UNWRITE_TRUST_PROXY', '10.0.0.0/8, ::1', 'trustProxy', ['10.0.0.0/8', '::1']],
    ['UNWRITE_DEMO', 'yes', 'demo', true],
    ['UNWRITE_DEMO', 'off', 'demo', false],
    ['UNWRITE_PUBLIC_URL', 'https://a.example:8443/', 'publicUrl', 'https://a.example:8443'],
    ['UNWRITE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['UNWRITE_SSO', '{issuers: []}', 'sso', []],
    ['UNWRITE_MAX_STARTS_PER_DAY', 'off', 'maxStartsPerDay', null],
    ['UNWRITE_MAX_STARTS_PER_DAY', '5', 'maxStartsPerDay', 5],
    ['UNWRITE_NOT_FOUND_ALARM', '100', 'notFoundAlarm', 100],
    ['UNWRITE_MANAGEMENT_PORT', '9464', 'managementPort', 9464],
    ['UNWRITE_ALARMS_WEBHOOK', 'http://10.0.0.1/in?x=1', 'alarmsWebhook', 'http://10.0.0.1/in?x=1'],
  ])('%s may be %j', (name, text, key, value) => {
    expect(load({ environment: { [name]: text } }).config[key]).toEqual(value);
  });

  it('PORT may be 0 only if the public address is given, since tokens hold that', () => {
    expect(problems({ environment: { PORT: '0' } })).toEqual([
      'port 0 takes any free port, so public_url must be given',
    ]);
    const environment = { PORT: '0', UNWRITE_PUBLIC_URL: 'https://a.example' };
    expect(load({ environment }).config.port).toBe(0);
  });

  it.each([
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'must be a whole number from 0 to 65535'],
    ['HOST', '   ', 'must not be empty'],
    ['UNWRITE_STORE', 'mysql', STORE_EXPECTED],
    ['UNWRITE_STORE', 'mysql://user:secret@db/unwrite', STORE_EXPECTED],
    ['UNWRITE_STORE', 'postgres://db.example.com', 'must name a database after the last slash'],
    [
      'UNWRITE_STORE',
      'postgres://db/unwrite?sslmode=maybe',
      'has an sslmode that is not one of: disable, require, verify-ca, verify-full',
    ],
    [
      'UNWRITE_STORE',
      'postgres://db/unwrite?search_path=x',
      'has the parameter search_path; known are sslmode, sslrootcert, sslcert, sslkey',
    ],
    [
      'UNWRITE_STORE_SCHEMA',
      'Drop Table',
      'must be a lower-case name of at most 44 letters, digits and underscores',
    ],
    ['UNWRITE_STORE_POOL_SIZE', '1', 'must be a whole number from 2 to 1000'],
    ['UNWRITE_ROLE', 'boss', 'must be one of: all, api, worker'],
    ['UNWRITE_CONCURRENCY', '0', 'must be a whole number from 1 to 64'],
    ['UNWRITE_LOG_LEVEL', 'loud', 'must be one of: trace, debug, info, warn, error, fatal, silent'],
    [
      'UNWRITE_PUBLIC_URL',
      'erase.example.com',
      'must be an address such as https://erase.example.com',
    ],
    [
      'UNWRITE_PUBLIC_URL',
      'ftp://x.example',
      'must be an address such as https://erase.example.com',
    ],
    [
      'UNWRITE_PUBLIC_URL',
      'https://x.example/v2',
      'must be an address without path, query and credentials',
    ],
    [
      'UNWRITE_PUBLIC_URL',
      'https://u:p@x.example',
      'must be an address without path, query and credentials',
    ],
    ['UNWRITE_DOMAIN', 'not a host', 'must be a host name'],
    ['UNWRITE_RATE_LIMIT', '0', 'must be a number of requests a minute, or off'],
    ['UNWRITE_RATE_LIMIT', 'many', 'must be a number of requests a minute, or off'],
    ['UNWRITE_DEMO', 'maybe', 'must be true or false'],
  ])('%s may not be %j', (name, text, reason) => {
    expect(problems({ environment: { [name]: text } })).toEqual([`${name} ${reason}`]);
  });

  it.each(['11', '10.0.0.0/33', 'proxy.example', '10.0.0.1/8/9', 'true'])(
    'UNWRITE_TRUST_PROXY may not be %j',
    (text) => {
      expect(problems({ environment: { UNWRITE_TRUST_PROXY: text } })).toEqual([
        expect.stringContaining('UNWRITE_TRUST_PROXY must be off, a number of proxies (1 to 10)'),
      ]);
    },
  );

  it('may not be a list or an object if one value is meant', () => {
    expect(problems({ file: 'port: [8080]\nhost: {a: 1}' })).toEqual([
      expect.stringContaining('host must be a single value'),
      expect.stringContaining('port must be a single value'),
    ]);
  });
});
