import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests, setStatus } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

describe('a second request with the same id', () => {
  it('is a conflict when it is the same, byte for byte', async () => {
    const text = JSON.stringify(requestBody());
    expect((await acme.create(text)).status).toBe(201);
    expect(expectError(await acme.create(text), 409)).toBe(
      'A request with this subject_request_id already exists',
    );
  });

  it('is a conflict whatever its body, and changes nothing of the first', async () => {
    const id = await acme.created();
    const before = (await acme.status(id)).text;
    const other = requestBody({
      subject_request_id: id,
      regulation: 'ccpa',
      submitted_time: '2020-01-01T00:00:00Z',
      subject_identities: [identity('controller_customer_id', 'other')],
    });
    expectError(await acme.create(other), 409);
    expect((await acme.status(id)).text).toBe(before);
  });

  it('is a conflict when the id is written in other letters', async () => {
    const id = await acme.created({ subject_request_id: `a${randomUUID().slice(1)}` });
    expectError(await acme.create(requestBody({ subject_request_id: id.toUpperCase() })), 409);
    expect((await acme.status(id.toUpperCase())).body.subject_request_id).toBe(id);
  });

  it('is a conflict after the first was cancelled', async () => {
    const id = await acme.created();
    await acme.cancel(id);
    expectError(await acme.create(requestBody({ subject_request_id: id })), 409);
    expect((await acme.status(id)).body.request_status).toBe('cancelled');
  });

  it.each(['in_progress', 'completed'])('is a conflict while the first is %s', async (status) => {
    const id = await acme.created();
    setStatus(service, id, status);
    expectError(await acme.create(requestBody({ subject_request_id: id })), 409);
    expect((await acme.status(id)).body.request_status).toBe(status);
  });

  it('is not a conflict if another controller sends it', async () => {
    const globex = await makeController(service, 'globex');
    const body = requestBody();
    expect((await acme.create(body)).status).toBe(201);
    expect((await globex.create(body)).status).toBe(201);
    await acme.cancel(body.subject_request_id);
    const { controller_id, request_status } = (await globex.status(body.subject_request_id)).body;
    expect({ controller_id, request_status }).toEqual({
      controller_id: 'globex',
      request_status: 'pending',
    });
  });

  it('is not a conflict after a first one that was refused', async () => {
    const body = requestBody();
    expectError(await acme.create({ ...body, regulation: 'x' }), 400);
    expect((await acme.create(body)).status).toBe(201);
  });
});

describe('many requests with the same id at once', () => {
  it('are accepted exactly once, and stored once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = randomUUID();
      const before = countRequests(service);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          acme.create(
            requestBody({
              subject_request_id: i % 2 === 0 ? id : id.toUpperCase(),
              subject_identities: [identity('email', `${i}@example.com`)],
            }),
          ),
        ),
      );
      const accepted = answers.filter(({ status }) => status === 201);
      expect(accepted).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 201) expectError(answer, 409);
      expect(countRequests(service)).toBe(before + 1);
      expect((await acme.status(id)).body.subject_request_id).toBe(
        accepted[0]?.body.subject_request_id,
      );
    }
  });
});
