import { describe, expect, it } from 'vitest';
import { showSettings } from '../../src/config/show.ts';
import { useGivenSettings } from './given.ts';

const { load, problems } = useGivenSettings();

describe('limits and alarms in the configuration', () => {
  it('have defaults: 10,000 starts a day, an alarm at 20 % not found, no management port, no webhook', () => {
    const { config } = load({});
    expect(config.maxStartsPerDay).toBe(10_000);
    expect(config.notFoundAlarm).toBe(20);
    expect(config.managementPort).toBeNull();
    expect(config.managementHost).toBe('127.0.0.1');
    expect(config.alarmsWebhook).toBeUndefined();
  });

  it('may be in the file, in a group, and may be off', () => {
    const file = 'max_starts_per_day: off\nalarms:\n  webhook: https://a.example/in';
    const { config } = load({ file });
    expect(config.maxStartsPerDay).toBeNull();
    expect(config.alarmsWebhook).toBe('https://a.example/in');
  });

  it.each([
    ['UNWRITE_MAX_STARTS_PER_DAY', '0', /must be a whole number from 1 to .*, or off/],
    ['UNWRITE_NOT_FOUND_ALARM', '101', /must be a whole number from 1 to 100, or off/],
    ['UNWRITE_MANAGEMENT_PORT', '70000', /must be a whole number from 1 to 65535, or off/],
    ['UNWRITE_ALARMS_WEBHOOK', 'ftp://a.example', /must be an address such as https/],
    ['UNWRITE_ALARMS_WEBHOOK', 'https://me:secret@a.example', /without user and password/],
    ['UNWRITE_ALARMS_WEBHOOK_SECRET', 'short', /must be whsec_ and 24 to 64 bytes in base64/],
    ['UNWRITE_ALARMS_WEBHOOK_SECRET', 'whsec_c2hvcnQ=', /24 to 64 bytes/],
    ['UNWRITE_ALARMS_FORMAT', 'xml', /must be one of: json, slack, teams, text/],
    ['UNWRITE_WEBHOOKS_ALLOW_PRIVATE', 'mail.internal', /must be true, false or a list of/],
  ])('%s is not %j', (name, text, message) => {
    expect(problems({ environment: { [name]: text } })).toEqual([expect.stringMatching(message)]);
  });

  it('do not show the secret of the webhook, nor its address, which may hold one', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const environment = {
      UNWRITE_ALARMS_WEBHOOK_SECRET: secret,
      UNWRITE_ALARMS_WEBHOOK: `https://hooks.example/${secret}`,
    };
    const shown = showSettings(load({ environment }));
    expect(JSON.stringify(shown)).not.toContain(secret);
  });
});
