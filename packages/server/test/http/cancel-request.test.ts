import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setStatus } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

describe('cancelling a request', () => {
  it('answers 202 with exactly the fields of the contract', async () => {
    const id = await acme.created();
    const answer = await acme.cancel(id);
    expect(answer.status).toBe(202);
    expect(answer.body).toStrictEqual({
      controller_id: 'acme',
      received_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      subject_request_id: id,
      processor_signature: 'not-yet-implemented',
      api_version: '2.0',
    });
  });

  it('says when the cancellation was received, not when the request was', async () => {
    const body = requestBody();
    const created = Date.parse((await acme.create(body)).body.received_time);
    while (Date.now() <= created + 1) await acme.discovery();
    const before = Date.now();
    const { received_time } = (await acme.cancel(body.subject_request_id)).body;
    expect(Date.parse(received_time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(received_time)).toBeLessThanOrEqual(Date.now());
  });

  it('turns pending into cancelled and does not change the expected time', async () => {
    const body = requestBody();
    const created = await acme.create(body);
    await acme.cancel(body.subject_request_id);
    const { request_status, expected_completion_time } = (
      await acme.status(body.subject_request_id)
    ).body;
    expect(request_status).toBe('cancelled');
    expect(expected_completion_time).toBe(created.body.expected_completion_time);
  });

  it.each(['in_progress', 'completed', 'cancelled'])(
    'is refused while the request is %s, and changes nothing',
    async (status) => {
      const id = await acme.created();
      setStatus(service, id, status);
      const message = expectError(await acme.cancel(id), 400);
      expect(message).toBe(`Only a pending request can be cancelled; this one is ${status}`);
      expect((await acme.status(id)).body.request_status).toBe(status);
    },
  );

  it('works once: the second time is refused', async () => {
    const id = await acme.created();
    expect((await acme.cancel(id)).status).toBe(202);
    expectError(await acme.cancel(id), 400);
  });

  it('finds the id in any case and shows it as it was submitted', async () => {
    const id = `a${randomUUID().slice(1)}`;
    await acme.created({ subject_request_id: id });
    expect((await acme.cancel(id.toUpperCase())).body.subject_request_id).toBe(id);
  });

  it('answers 404 for an unknown id and for a text that is not an id', async () => {
    const unknown = await acme.cancel(randomUUID());
    expectError(unknown, 404);
    for (const text of ['0', '%00', 'x'.repeat(8000), 'a7551968-d5d6-14b2-9831-815ac9017798']) {
      const answer = await acme.cancel(text);
      expectError(answer, 404);
      expect(answer.text).toBe(unknown.text);
    }
  });

  it('succeeds exactly once when many try at once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await acme.created();
      const answers = await Promise.all(Array.from({ length: 20 }, () => acme.cancel(id)));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 202) expectError(answer, 400);
      expect((await acme.status(id)).body.request_status).toBe('cancelled');
    }
  });

  it('raced with the creation is refused as unknown or done, never half', async () => {
    for (let round = 0; round < 20; round++) {
      const body = requestBody();
      const [created, cancelled] = await Promise.all([
        acme.create(body),
        acme.cancel(body.subject_request_id),
      ]);
      expect(created.status).toBe(201);
      if (cancelled.status !== 202) expectError(cancelled, 404);
      expect((await acme.status(body.subject_request_id)).body.request_status).toBe(
        cancelled.status === 202 ? 'cancelled' : 'pending',
      );
    }
  });
});
