// Every route and verb with another controller's ids: what goes over the wire is compared to the byte.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { exchange, rawRequest } from '../helpers/http/raw-socket.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startIssuer, type TestIssuer, trusting } from '../helpers/http/sso-issuer.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const PATHS = ['/requests/:id', '/v2/requests/:id', '/requests/:id/', '/requests/:id?x=1'];

let service: TestService;
let issuer: TestIssuer;
let acme: TestController;
let globexTokens: string[];

beforeAll(async () => {
  issuer = await startIssuer();
  service = await startService(trusting([issuer, { controllers: '*' }]));
  acme = await makeController(service, 'acme');
  const globex = await makeController(service, 'globex');
  globexTokens = [globex.token, await issuer.token({ claims: { org_id: 'globex' } })];
});
afterAll(async () => {
  await service.close();
  await issuer.away();
});

/** All bytes of the answer, but for what differs between any two answers. */
async function wire(verb: string, path: string, token: string, body = ''): Promise<string> {
  const headers = [
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    ...(body === ''
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const received = await exchange(
    service.url,
    rawRequest(`${verb} ${path} HTTP/1.1`, headers, body),
  );
  return received
    .replace(/^(date|x-request-id|ratelimit): .*$/gim, '$1: masked')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time');
}

const statusOf = (answer: string) => Number(answer.split(' ', 2)[1]);

describe.each(VERBS)('%s with the id of another controller', (verb) => {
  it.each(PATHS)(
    "another controller's id at %s is answered like an id that never existed",
    async (path) => {
      const theirs = await acme.created();
      const body = verb === 'POST' || verb === 'PUT' || verb === 'PATCH' ? '{}' : '';
      for (const token of globexTokens) {
        const [another, unknown] = await Promise.all(
          [theirs, randomUUID()].map((id) => wire(verb, path.replace(':id', id), token, body)),
        );
        expect(another).toBe(unknown);
        expect(statusOf(another ?? '')).toBeGreaterThanOrEqual(400);
        expect(another).not.toContain('acme');
      }
      expect((await acme.status(theirs)).body.request_status).toBe('pending');
    },
  );
});

describe.each(['/requests', '/v2/requests'])(
  'POST %s with the id of another controller',
  (path) => {
    it('is a request of its own, answered as any other', async () => {
      for (const token of globexTokens) {
        const theirs = await acme.created();
        const create = async (id: string) => {
          const body = JSON.stringify(requestBody({ subject_request_id: id }));
          const answer = await wire('POST', path, token, body);
          const encoded = Buffer.from(body).toString('base64');
          expect(answer).toContain(encoded);
          return answer.replaceAll(id, 'id').replace(encoded, 'encoded');
        };
        const [another, fresh] = [await create(theirs), await create(randomUUID())];
        expect(statusOf(another)).toBe(201);
        expect(another).toBe(fresh);
        expect(another).toContain('"controller_id":"globex"');
      }
    });

    it('leaves the other controller’s request unchanged, even when this one is cancelled', async () => {
      const id = await acme.created();
      const [token = ''] = globexTokens;
      const body = JSON.stringify(requestBody({ subject_request_id: id }));
      expect(statusOf(await wire('POST', path, token, body))).toBe(201);
      expect(statusOf(await wire('DELETE', `/requests/${id}`, token))).toBe(202);
      expect((await acme.status(id)).body.request_status).toBe('pending');
      expect((await acme.cancel(id)).status).toBe(202);
    });
  },
);

describe('a body or a query that names another controller', () => {
  it('has no effect: the token decides', async () => {
    const [token = ''] = globexTokens;
    const body = JSON.stringify(
      requestBody({ controller_id: 'acme', extensions: { controller_id: 'acme' } }),
    );
    const answer = await wire('POST', '/requests?controller_id=acme', token, body);
    expect(answer).toContain('"controller_id":"globex"');
  });
});

describe('discovery', () => {
  it('is the same for every controller', async () => {
    const [token = ''] = globexTokens;
    expect(await wire('GET', '/discovery', token)).toBe(
      await wire('GET', '/discovery', acme.token),
    );
  });
});
