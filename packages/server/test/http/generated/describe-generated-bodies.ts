// Generated bodies against a running service.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUZZ_SEED, reportInputs } from '../../helpers/fuzz-runs.ts';
import { type Answer, postJson } from '../../helpers/http/api.ts';
import { makeController, type TestController } from '../../helpers/http/controller.ts';
import { expectErrorShape } from '../../helpers/http/error-shape.ts';
import { generatedBody, validBody } from '../../helpers/http/generated-bodies.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

const AT_ONCE = 20;
const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const RFC_3339 = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(\.\d{1,12})?(z|[+-]\d\d:\d\d)$/i;

/** `runs` bodies, so many at once; fast-check shrinks what fails to the least that still does. */
async function forBodies(
  what: string,
  bodies: fc.Arbitrary<Buffer>,
  runs: number,
  check: (body: Buffer) => Promise<void>,
): Promise<void> {
  const batch = fc.array(bodies, { minLength: 1, maxLength: AT_ONCE, size: 'max' });
  let count = 0;
  const property = fc.asyncProperty(batch, async (some) => {
    count += some.length;
    await Promise.all(some.map(check));
  });
  await fc.assert(property, { numRuns: Math.ceil(runs / (AT_ONCE / 2)), ...FUZZ_SEED });
  reportInputs(what, count);
}

/** Looked at with other means than the service's own. */
function expectRightlyAccepted(body: Buffer, answer: Answer): void {
  expect(answer.status).toBe(201);
  expect(answer.body.encoded_request).toBe(body.toString('base64'));
  const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  expect(['gdpr', 'ccpa']).toContain(sent.regulation);
  expect(sent.subject_request_type).toBe('erasure');
  expect(sent.subject_request_id).toMatch(UUID_V4);
  expect(sent.submitted_time).toMatch(RFC_3339);
  for (const { identity_type, identity_value, identity_format } of sent.subject_identities ?? []) {
    expect(['email', 'controller_customer_id']).toContain(identity_type);
    expect(identity_value).toBeTypeOf('string');
    expect(identity_format).toBe('raw');
  }
}

export function describeGeneratedBodies(runs: number): void {
  describe('generated bodies', () => {
    const timeout = 30_000 + runs * 20;
    let service: TestService;
    let acme: TestController;

    beforeAll(async () => {
      service = await startService();
      acme = await makeController(service);
    });
    afterAll(() => service.close());

    it('are accepted or refused in the error shape, and never a failure of ours', { timeout }, () =>
      forBodies('bodies', generatedBody, runs, async (body) => {
        const answer = await acme.create(body);
        if (answer.status < 300) return expectRightlyAccepted(body, answer);
        expect([400, 409, 413]).toContain(answer.status);
        expectErrorShape(answer);
      }),
    );

    it('valid bodies are accepted, and their identities may be any text', { timeout }, () =>
      forBodies('valid bodies', validBody, runs / 4, async (body) => {
        const answer = await acme.create(body);
        if (answer.status === 409) return void expectErrorShape(answer);
        expectRightlyAccepted(body, answer);
      }),
    );

    it('get no token and no failure of ours from the token endpoint', { timeout }, () =>
      forBodies('bodies for the token endpoint', generatedBody, runs / 4, async (body) => {
        const answer = await postJson(`${service.url}/oauth/token`, body);
        expect([400, 401, 413]).toContain(answer.status);
        expectErrorShape(answer);
      }),
    );
  });
}
