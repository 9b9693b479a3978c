import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { verifyReceipt } from '../../src/receipts/verify-receipt.ts';
import { call } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { identity } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;
let globex: TestController;
/** Of acme. */
let completed: string;

beforeAll(async () => {
  service = await startService({ cancellationWindow: '0s', domain: 'erasure.example.com' });
  acme = await makeController(service, 'acme');
  globex = await makeController(service, 'globex');
  completed = await complete(
    await acme.created({ subject_identities: [identity('email', 'jane@example.com')] }),
  );
});
afterAll(() => service.close());

/** No target is configured, so a person confirms. */
async function complete(id: string): Promise<string> {
  const { tasks, operator } = service.installation.store;
  const filter = { controllerId: 'acme' as ControllerId, subjectRequestId: id, limit: 1 };
  let [task] = await tasks.tasks(filter);
  while (task === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    [task] = await tasks.tasks(filter);
  }
  await operator.confirm(task.taskNo, 'Kein „Papier“ mehr', {
    actor: 'operator:olga',
    now: Date.now(),
  });
  return id;
}

const receipt = (id: string, token: string | undefined = acme.token, query = '') =>
  call(`${service.url}/receipts/${id}${query}`, token === undefined ? {} : { token });

describe('GET /receipts/{subject_request_id}', () => {
  it('gives the signed document, also to a caller who asks before it was made', async () => {
    const answer = await receipt(await complete(await acme.created()));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^\S+$/);
    const key = await call(`${service.url}/receipts/key`);
    const verdict = verifyReceipt(Buffer.from(answer.text), createSignatureVerifier([key.text]));
    expect(verdict).toMatchObject({
      ok: true,
      receipt: {
        processor_domain: 'erasure.example.com',
        controller_id: 'acme',
        systems: [{ action: 'confirmed', verified: 'confirmed by a person' }],
      },
    });
    expect(answer.text).not.toMatch(/olga|Papier/);
  });

  it('covers the completion by the audit head that it names', async () => {
    const { body } = await receipt(completed);
    const { auditHeads, auditLog } = service.installation.store;
    const [row] = await auditLog.list({
      subjectRequestId: completed,
      action: 'request.completed',
      limit: 1,
    });
    const [head] = await auditHeads.heads(body.audit_head.head_no - 1, 1);
    expect(head?.lastAuditNo).toBeGreaterThanOrEqual(row?.auditNo ?? Number.POSITIVE_INFINITY);
    expect(Buffer.from(head?.hash ?? []).toString('hex')).toBe(body.audit_head.hash);
  });

  it('gives the same bytes each time, under /v2, with a trailing slash and in any case', async () => {
    const { text } = await receipt(completed);
    for (const path of [
      `/v2/receipts/${completed}`,
      `/receipts/${completed}/`,
      `/receipts/${completed.toUpperCase()}`,
      `/receipts/${completed}?format=json&no=1`,
    ]) {
      expect((await call(`${service.url}${path}`, { token: acme.token })).text).toBe(text);
    }
  });

  it('has no identity in it, nor the headers of the four endpoints', async () => {
    const { text, headers } = await receipt(completed);
    expect(text).not.toContain('jane');
    expect([...headers.keys()].filter((name) => name.startsWith('x-opendsr'))).toEqual([]);
  });

  it('gives a page without scripts for format=html', async () => {
    const { status, headers, text } = await receipt(completed, acme.token, '?format=html');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('erased by hand');
    expect(text).not.toMatch(/jane|olga|Papier/);
  });

  it('is answered for HEAD without the body', async () => {
    const get = await receipt(completed);
    const url = `${service.url}/receipts/${completed}`;
    const head = await call(url, { method: 'HEAD', token: acme.token });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('a receipt that is not to be had', () => {
  it('is 404 in the same bytes for what never was, and for another controller', async () => {
    const never = await receipt(randomUUID());
    expectError(never, 404);
    expect((await receipt(completed, globex.token)).text).toBe(never.text);
    expect((await receipt('nonsense')).text).toBe(never.text);
    expect((await acme.status(randomUUID())).text).toBe(never.text);
  });

  it('is 404 until the request is completed, with its state', async () => {
    const id = await acme.created();
    const message = expectError(await receipt(id), 404);
    expect(message).toMatch(/^There is no receipt: this request is (pending|in_progress)/);
  });

  it('is 404 for a number that there is not', async () => {
    const answer = await receipt(completed, acme.token, '?no=2');
    expect(expectError(answer, 404)).toBe('There is no receipt 2; this request has 1');
  });

  it.each(['?format=pdf', '?no=0', '?no=x', '?no=1&no=2', '?format=html&format=json'])(
    'is 400 for %s',
    async (query) => {
      expectError(await receipt(completed, acme.token, query), 400);
    },
  );

  it('is 401 without a token, whatever the id', async () => {
    for (const id of [completed, randomUUID(), 'nonsense']) {
      const answer = await call(`${service.url}/receipts/${id}`);
      expectError(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('is 405 with another method', async () => {
    for (const method of ['POST', 'DELETE', 'PUT']) {
      for (const path of [completed, 'key']) {
        const url = `${service.url}/v2/receipts/${path}`;
        const answer = await call(url, { method, token: acme.token });
        expectError(answer, 405);
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
      }
    }
  });
});

describe('GET /receipts/key', () => {
  it.each(['', '/v2'])('gives the public key to anybody under %j', async (prefix) => {
    const { status, headers, text } = await call(`${service.url}${prefix}/receipts/key`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/x-pem-file/);
    expect(text).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/);
  });
});

describe('the OpenAPI document', () => {
  it('has the receipts, marked as an extension', async () => {
    const { body } = await call(`${service.url}/openapi.json`);
    const { get } = body.paths['/receipts/{subject_request_id}'];
    expect(get.tags).toEqual(['Receipts']);
    expect(get.description).toContain('extension');
    expect(Object.keys(get.responses)).toEqual(['200', '400', '401', '403', '404', '429', '503']);
    expect(Object.keys(get.responses['200'].content)).toEqual(['application/json', 'text/html']);
    expect(body.paths['/receipts/key'].get.security).toEqual([]);
  });
});
