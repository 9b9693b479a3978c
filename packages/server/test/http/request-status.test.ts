import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgeStatus, setStatus } from '../helpers/databases/database.ts';
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

describe('the status of a request', () => {
  it('answers 200 with exactly the fields of the contract', async () => {
    const body = requestBody();
    const created = await acme.create(body);
    const answer = await acme.status(body.subject_request_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      controller_id: 'acme',
      expected_completion_time: created.body.expected_completion_time,
      subject_request_id: body.subject_request_id,
      request_status: 'pending',
      api_version: '2.0',
    });
  });

  it.each(['completed', 'cancelled'])(
    'does not show the state %s that somebody wrote into the database',
    async (status) => {
      const body = requestBody();
      await acme.create(body);
      forgeStatus(service, body.subject_request_id, status);
      const answer = await acme.status(body.subject_request_id);
      expect(answer.body.request_status).toBe('pending');
    },
  );

  it.each(['pending', 'in_progress', 'completed', 'cancelled'])(
    'shows the state %s and the same expected time as ever',
    async (status) => {
      const body = requestBody();
      const created = await acme.create(body);
      setStatus(service, body.subject_request_id, status);
      const answer = await acme.status(body.subject_request_id);
      expect(answer.body.request_status).toBe(status);
      expect(answer.body.expected_completion_time).toBe(created.body.expected_completion_time);
    },
  );

  it('is found by the id in any case, and shows the id as it was submitted', async () => {
    const id = `A${randomUUID().slice(1)}`;
    await acme.created({ subject_request_id: id });
    for (const asked of [id, id.toLowerCase(), id.toUpperCase()]) {
      expect((await acme.status(asked)).body.subject_request_id).toBe(id);
    }
  });

  it('is available as soon as the creation was answered', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => acme.created()));
    const answers = await Promise.all(ids.map((id) => acme.status(id)));
    expect(answers.map(({ body }) => body.subject_request_id)).toEqual(ids);
  });

  it('is not found for an id that never was', async () => {
    expect(expectError(await acme.status(randomUUID()), 404)).toBe(
      'There is no request with this subject_request_id',
    );
  });

  it.each([
    '0',
    'null',
    'a7551968d5d644b29831815ac9017798',
    'a7551968-d5d6-14b2-9831-815ac9017798',
    '%00',
    '%27%20OR%201=1--',
    '%F0%9F%98%80',
    '..%2f..%2fdiscovery',
    'x'.repeat(8000),
  ])('is not found for an invalid id: %s', async (text) => {
    const unknown = await acme.status(randomUUID());
    const answer = await acme.status(text);
    expectError(answer, 404);
    expect(answer.text).toBe(unknown.text);
  });

  it('is not found for an id with something around it', async () => {
    const id = await acme.created();
    for (const text of [`${id}%20`, `%20${id}`, `${id}%0A`, `${id}x`, `%7B${id}%7D`, `${id}%00`]) {
      expectError(await acme.status(text), 404);
    }
  });

  it('does not depend on the query', async () => {
    const id = await acme.created();
    const answer = await acme.status(`${id}?subject_request_id=${randomUUID()}&controller_id=x`);
    expect(answer.body.subject_request_id).toBe(id);
  });
});
