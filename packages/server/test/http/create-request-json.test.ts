import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countRequests } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;
let valid: string;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
beforeEach(() => {
  valid = JSON.stringify(requestBody());
});
afterAll(() => service.close());

/** A valid body with one more member, as text. */
const withMember = (member: string) => `${valid.slice(0, -1)},${member}}`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the JSON of a new request', () => {
  it('is refused whole and changes nothing, whatever the hazard', async () => {
    const bodies = [
      '',
      '   ',
      '{',
      valid.slice(0, -1),
      `${valid}${valid}`,
      `${valid},`,
      `\ufeff${valid}`,
      withMember('"regulation":"gdpr"'),
      withMember('"\\u0072egulation":"ccpa"'),
      withMember('"x":{"a":1,"a":2}'),
      withMember('"x":"\\ud800"'),
      withMember('"\\udc00":1'),
      withMember('"x":"\\u0000"'),
      withMember('"x\\u0000":1'),
      withMember('"x":"\0"'),
      withMember('"x":NaN'),
      withMember('"x":01'),
      withMember('"x":undefined'),
      withMember("'x':1"),
      withMember('"__proto__":1,"__proto__":1'),
      withMember(`"x":${nested(32)}`),
      `/* */${valid}`,
      '['.repeat(200_000),
      Buffer.from(valid, 'utf16le'),
      Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      Buffer.concat([Buffer.from(valid), Buffer.from([0x00])]),
    ];
    const before = countRequests(service);
    for (const body of bodies) {
      expect(expectError(await acme.create(body), 400)).toMatch(/^The body /);
    }
    expect(countRequests(service)).toBe(before);
    expect((await acme.create(valid)).status).toBe(201);
  });

  it('may be 32 levels deep and not 33', async () => {
    expect((await acme.create(withMember(`"x":${nested(31)}`))).status).toBe(201);
    expect(expectError(await acme.create(withMember(`"x":${nested(32)}`)), 400)).toContain('32');
  });

  it.each(['1e400', '-1e-400', '123456789012345678901234567890', '-0.0'])(
    'may have the number %s in an ignored field',
    async (number) => {
      expect((await acme.create(withMember(`"x":${number}`))).status).toBe(201);
    },
  );

  it.each(['null', 'true', '0', '1e400', '"text"', '[]', '[{}]'])(
    'must be an object, not %s',
    async (text) => {
      expect(expectError(await acme.create(text), 400)).toBe('The body must be an object');
    },
  );

  it('may have __proto__, constructor and toString as keys, which are ignored', async () => {
    const keys = '"__proto__":{"regulation":"ccpa"},"constructor":{"prototype":{"polluted":1}}';
    const answer = await acme.create(withMember(`${keys},"toString":null`));
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not give its fields through __proto__', async () => {
    const answer = await acme.create(`{"__proto__":${valid}}`);
    expect(expectError(answer, 400)).toContain('regulation is missing');
  });

  it('is never quoted in the message', async () => {
    for (const text of ['{"a":jane@example.com}', 'jane@example.com', '{"jane@example.com":1']) {
      const answer = await acme.create(text);
      expectError(answer, 400);
      expect(answer.text).not.toMatch(/jane|example/);
    }
  });
});
