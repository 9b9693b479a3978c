import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setStatus } from '../helpers/databases/database.ts';
import type { Answer } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;
let globex: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service, 'acme');
  globex = await makeController(service, 'globex');
});
afterAll(() => service.close());

/** All that a caller can see, but for what differs between any two answers. */
function visible({ status, headers, text }: Answer) {
  const own = ['date', 'x-request-id'];
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) };
}

describe("another controller's request", () => {
  it.each(['pending', 'in_progress', 'completed', 'cancelled'])(
    'looks like a request that never existed, while it is %s',
    async (status) => {
      const id = await acme.created();
      setStatus(service, id, status);
      for (const ask of [globex.status, globex.cancel]) {
        const theirs = await ask(id);
        expectError(theirs, 404);
        expect(visible(theirs)).toEqual(visible(await ask(randomUUID())));
      }
      expect((await acme.status(id)).body.request_status).toBe(status);
    },
  );

  it('can be neither read nor cancelled in another case of its id', async () => {
    const id = await acme.created();
    expectError(await globex.status(id.toUpperCase()), 404);
    expectError(await globex.cancel(id.toUpperCase()), 404);
    expect((await acme.status(id)).body.request_status).toBe('pending');
  });
});
