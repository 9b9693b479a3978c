import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { withDatabase } from '../helpers/databases/database.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { ownClock } from '../helpers/own-clock.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

function refuseWrites(event: 'INSERT' | 'UPDATE'): void {
  withDatabase(service, (database) =>
    database.exec(`
      CREATE TRIGGER refuse BEFORE ${event} ON requests
      BEGIN SELECT RAISE(ABORT, 'disk I/O error at jane@example.com'); END
    `),
  );
}

function allowWrites(): void {
  withDatabase(service, (database) => database.exec('DROP TRIGGER refuse'));
}

describe('while the store cannot be written', () => {
  it('creating answers 503 with Retry-After, and works afterwards', async () => {
    const body = requestBody();
    refuseWrites('INSERT');
    const answer = await acme.create(body);
    allowWrites();
    expect(expectError(answer, 503)).not.toContain('disk');
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expectError(await acme.status(body.subject_request_id), 404);
    expect((await acme.create(body)).status).toBe(201);
  });

  it('cancelling answers 503 with Retry-After, and works afterwards', async () => {
    const id = await acme.created();
    refuseWrites('UPDATE');
    const answer = await acme.cancel(id);
    allowWrites();
    expectError(answer, 503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await acme.status(id)).body.request_status).toBe('pending');
    expect((await acme.cancel(id)).status).toBe(202);
  });

  it('a refused request still gets its own answer', async () => {
    refuseWrites('INSERT');
    const answer = await acme.create(requestBody({ regulation: 'x' }));
    allowWrites();
    expectError(answer, 400);
  });
});

describe('while the store cannot be read', () => {
  it('every call answers 503 with Retry-After, also for a token that must be asked about again', async () => {
    const clock = ownClock();
    const broken = await startService();
    const { reader } = broken.installation.store as SqliteStore;
    const controller = await makeController(broken);
    const id = await controller.created();
    expect((await controller.status(id)).status).toBe(200);
    // Remembered tokens are asked about every five seconds.
    reader.close();
    clock.forward(5000);
    try {
      const answers = [
        await controller.status(id),
        await controller.create(requestBody()),
        await controller.discovery(),
      ];
      for (const answer of answers) {
        expectError(answer, 503);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      }
    } finally {
      reader.open();
      await broken.close();
      clock.restore();
    }
  });
});
