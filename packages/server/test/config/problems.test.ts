import { describe, expect, it } from 'vitest';
import { runUnwrite } from '../helpers/servers/server-process.ts';
import { useGivenSettings } from './given.ts';

const { load, problems, write, directory } = useGivenSettings();

describe('problems with the settings', () => {
  it('are all named at once, each with the spelling that was used', () => {
    const found = problems({
      flags: { port: 'x' },
      environment: { UNWRITE_TOKEN_LIFETIME: '1s' },
      file: 'cancellation_window: soon\ncancelation_window: 1h\nrate_limit: 0',
    });
    expect(found).toEqual([
      expect.stringMatching(/yaml:2: cancelation_window is not a setting; did you mean cancell/),
      expect.stringMatching(/^--port must be/),
      expect.stringMatching(/^UNWRITE_TOKEN_LIFETIME must be/),
      expect.stringMatching(/yaml:1: cancellation_window must be/),
      expect.stringMatching(/yaml:3: rate_limit must be/),
    ]);
  });

  it('suggest a name only when one is near', () => {
    expect(problems({ file: 'prot: 1' })[0]).toMatch(/prot is not a setting; did you mean port\?$/);
    expect(problems({ file: 'colour_of_the_sky: blue' })[0]).toMatch(/is not a setting$/);
  });

  it('include unknown names inside a group, and groups that are given one value', () => {
    expect(problems({ file: 'retention:\n  identites: 1d' })[0]).toMatch(
      /yaml:2: retention.identites is not a setting; did you mean retention.identities\?$/,
    );
    expect(problems({ file: 'retention: 35d' })[0]).toMatch(
      /yaml:1: retention must hold settings of its own: retention.identities, retention.records, /,
    );
    expect(problems({ file: 'retention.identities: 1d' })[0]).toMatch(/is not a setting/);
  });

  it('include names inside sso, with their place', () => {
    const file = `
sso:
  issuer: []
  issuers:
    - issuer: http://login.example
      audiance: x
      controllers: [Not A Slug]
    - {issuer: https://two.example, audience: x, controllers: "*"}
    - {issuer: https://two.example, audience: x, controllers: []}
`;
    const [problem] = problems({ file });
    for (const part of [
      'issuer is not a setting; did you mean issuers?',
      'issuers[0].audiance is not a setting; did you mean audience?',
      'issuers[0].audience is missing',
      'issuers[0].issuer must be an https address (http only on loopback)',
      'issuers[0].controllers: a controller id has',
      'issuers[2].controllers must be a list',
      'names the same issuer twice',
    ]) {
      expect(problem).toContain(part);
    }
  });

  it.each(['http://keys.example/jwks', 'https://127.0.0.1/jwks', 'http://localhost/jwks', 'keys'])(
    'include keys of an issuer at %s',
    (uri) => {
      const issuer = `issuer: https://login.example, audience: x, controllers: "*"`;
      const file = `sso: { issuers: [{ ${issuer}, jwks_uri: "${uri}" }] }`;
      expect(problems({ file })[0]).toContain('issuers[0].jwks_uri must be an https address');
    },
  );

  it('do not include an unknown variable: that is a warning, with a suggestion', () => {
    const { warnings } = load({
      environment: { UNWRITE_PORT: '1', UNWRITE_TOKEN_LIFETME: '1h', PATH: '/bin' },
    });
    expect(warnings).toEqual([
      'UNWRITE_PORT is not a setting; did you mean PORT?',
      'UNWRITE_TOKEN_LIFETME is not a setting; did you mean UNWRITE_TOKEN_LIFETIME?',
    ]);
  });

  it('never quote a value, which may be a secret in the wrong place', () => {
    const secret = 'hunter2hunter2';
    const found = problems({
      environment: { PORT: secret, UNWRITE_DOMAIN: `${secret}!`, UNWRITE_LOG_LEVEL: secret },
      file: `token_lifetime: ${secret}\nsso: ${secret}`,
    });
    expect(found).toHaveLength(5);
    expect(found.join('\n')).not.toContain(secret);
  });
});

describe.each(['serve', 'config check', 'config show', 'migrate', 'client list'])(
  'unwrite %s with wrong settings',
  (command) => {
    it('ends with 78 and names every problem', () => {
      write('unwrite.config.yaml', 'prot: 1\nlog_level: loud');
      const dataDir = `${directory()}/data`;
      const args = [...command.split(' '), '--token-lifetime', '1'];
      const { exitCode, stdout, stderr } = runUnwrite(args, { dataDir, cwd: directory() });
      expect(exitCode).toBe(78);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^unwrite: the settings have 3 problems\n {2}- /);
      expect(stderr).toContain('prot is not a setting; did you mean port?');
      expect(stderr).toContain('log_level must be one of');
      expect(stderr).toContain('--token-lifetime must be from 60s to 24h');
    });
  },
);

describe('unwrite config check --json', () => {
  it('gives the problems to scripts', () => {
    const args = ['config', 'check', '--json', '--port', 'x'];
    const { exitCode, stderr } = runUnwrite(args, { cwd: directory() });
    expect(exitCode).toBe(78);
    expect(JSON.parse(stderr).error).toEqual({
      message: 'the settings have a problem',
      problems: ['--port must be a whole number from 0 to 65535'],
    });
  });

  it('says that there are no problems', () => {
    const { exitCode, stdout } = runUnwrite(['config', 'check', '--json'], {
      cwd: directory(),
      environment: { UNWRITE_COLOUR: 'blue' },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      file: null,
      warnings: ['UNWRITE_COLOUR is not a setting'],
    });
  });
});

describe('a secret as a flag', () => {
  it.each([
    ['masterKey', '--master-key', 'UNWRITE_MASTER_KEY', 'k'.repeat(43)],
    ['masterKeyPrevious', '--master-key-previous', 'UNWRITE_MASTER_KEY_PREVIOUS', 'k'.repeat(43)],
    ['alarmsWebhook', '--alarms-webhook', 'UNWRITE_ALARMS_WEBHOOK', 'https://x.example/T0/s3cret'],
    ['alarmsWebhookSecret', '--alarms-webhook-secret', 'UNWRITE_ALARMS_WEBHOOK_SECRET', 's3cret'],
    ['store', '--store', 'UNWRITE_STORE', 'postgres://unwrite:s3cret@db/unwrite'],
    ['store', '--store', 'UNWRITE_STORE', 'postgres:/unwrite:s3cret@db/unwrite'],
    ['store', '--store', 'UNWRITE_STORE', 'postgres://olga@db/x?password=s3cr3t'],
    ['store', '--store', 'UNWRITE_STORE', 'host=db user=olga Password = s3cr3t'],
  ])('is refused with the two ways that work: %s', (key, flag, variable, value) => {
    const [problem, ...others] = problems({ flags: { [key]: value } });
    expect(others).toEqual([]);
    expect(problem).toContain(`${flag} is not accepted`);
    expect(problem).toContain(`set ${variable},`);
    expect(problem).toContain(`set ${variable}_FILE to its path`);
    expect(problem).not.toContain(value);
  });

  it('is not an address of a store without a password', () => {
    const store = 'postgres://unwrite@db.example.com/unwrite?sslmode=verify-full';
    expect(load({ flags: { store } }).config.store).toBe(store);
    expect(load({ flags: { store: 'sqlite' } }).config.store).toBe('sqlite');
  });
});
