import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRequests } from '../helpers/databases/database.ts';
import { heapAfterCollection } from '../helpers/heap.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { holdOpen, rawRequest, readAnswers, send } from '../helpers/http/raw-socket.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';
import { until } from '../helpers/until.ts';

const MAX_BYTES = 262_144;
const READABLE_BYTES = 1_048_576;
const MESSAGE = 'The body is too large: at most 262144 bytes';

let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

/** A valid body of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const text = JSON.stringify(requestBody({ padding: 'é' }));
  return text.replace('é', `é${'x'.repeat(bytes - Buffer.byteLength(text))}`);
}

function headersOf(extra: readonly string[]): string[] {
  return [
    'Host: localhost',
    `Authorization: Bearer ${acme.token}`,
    'Content-Type: application/json',
    ...extra,
  ];
}

function chunked(body: string, size: number): string[] {
  const pieces: string[] = [];
  for (let i = 0; i < body.length; i += size) {
    const piece = body.slice(i, i + size);
    pieces.push(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  }
  return [...pieces, '0\r\n\r\n'];
}

function createChunked(body: string) {
  const head = rawRequest(
    'POST /requests HTTP/1.1',
    headersOf(['Transfer-Encoding: chunked', 'Connection: close']),
  );
  return send(service.url, [head, ...chunked(body, 60_000)]);
}

describe('the size of a body', () => {
  it('may be up to 262,144 bytes', async () => {
    const body = bodyOf(MAX_BYTES);
    expect(Buffer.byteLength(body)).toBe(MAX_BYTES);
    const answer = await acme.create(body);
    expect(answer.status).toBe(201);
    expect(answer.body.encoded_request).toBe(Buffer.from(body).toString('base64'));
  });

  it('may not be one byte more', async () => {
    const before = countRequests(service);
    expect(expectError(await acme.create(bodyOf(MAX_BYTES + 1)), 413)).toBe(MESSAGE);
    expect(countRequests(service)).toBe(before);
  });

  it('is counted in bytes, not in characters', async () => {
    const text = JSON.stringify(requestBody({ padding: 'é'.repeat(MAX_BYTES / 2) }));
    expect(text.length).toBeLessThan(MAX_BYTES);
    expectError(await acme.create(text), 413);
  });

  it('is counted the same when no length was declared', async () => {
    const ascii = (bytes: number) => bodyOf(bytes + 1).replace('é', 'e');
    const [fits] = await createChunked(ascii(MAX_BYTES));
    expect(fits?.status).toBe(201);
    const [exceeds] = await createChunked(ascii(MAX_BYTES + 1));
    expect(expectError(exceeds ?? expect.fail(), 413)).toBe(MESSAGE);
  });

  it('up to 1 MiB is read, so that the sender can read the 413', async () => {
    const large = 'x'.repeat(READABLE_BYTES);
    const tooLarge = rawRequest(
      'POST /requests HTTP/1.1',
      headersOf([`Content-Length: ${large.length}`]),
      large,
    );
    const answers = await send(service.url, tooLarge);
    expect(answers).toHaveLength(1);
    expect(expectError(answers[0] ?? expect.fail(), 413)).toBe(MESSAGE);
    const [undeclared] = await createChunked(large);
    expect(expectError(undeclared ?? expect.fail(), 413)).toBe(MESSAGE);
  });

  it('a body declared as larger than 1 MiB is refused before it is sent', async () => {
    const head = rawRequest(
      'POST /requests HTTP/1.1',
      headersOf([`Content-Length: ${READABLE_BYTES + 1}`]),
    );
    const answers = await send(service.url, head);
    expect(answers).toHaveLength(1);
    expect(expectError(answers[0] ?? expect.fail(), 413)).toBe(MESSAGE);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it('above 1 MiB without a declared length closes the connection', async () => {
    const before = countRequests(service);
    const answers = await createChunked('x'.repeat(8 * READABLE_BYTES));
    for (const answer of answers) expectError(answer, 413);
    expect(countRequests(service)).toBe(before);
  });

  it('may declare any length up to the largest number', async () => {
    for (const length of ['9007199254740993', '18446744073709551615', '9'.repeat(40)]) {
      const head = rawRequest('POST /requests HTTP/1.1', headersOf([`Content-Length: ${length}`]));
      for (const answer of await send(service.url, head)) {
        expect([400, 413]).toContain(answer.status);
        expectError(answer, answer.status);
      }
    }
  });

  it('a body in pieces of one byte needs no more memory than in one piece', async () => {
    const body = bodyOf(4000);
    const held = await holdOpen(service.url, [
      rawRequest('POST /requests HTTP/1.1', headersOf(['Transfer-Encoding: chunked'])),
    ]);
    const before = heapAfterCollection();
    const pieces = chunked(Buffer.from(body).toString('latin1'), 1).slice(0, -1).join('');
    await held.write(pieces);
    // The end of the pieces has arrived when the server has read as much as was written.
    await until(
      () => held.socket.writableLength === 0,
      () => 'it was not read',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heapAfterCollection() - before).toBeLessThan(2_000_000);
    await held.write('0\r\n\r\n');
    const answer = readAnswers(await held.received(/"subject_request_id"/));
    expect(answer[0]?.status).toBe(201);
    held.socket.destroy();
  });

  it.each(['/requests', '/oauth/token'])(
    'a body in many pieces of a few bytes is refused long before its end, at %s',
    async (path) => {
      const headers = headersOf(['Transfer-Encoding: chunked']);
      const head = rawRequest(`POST ${path} HTTP/1.1`, headers);
      const held = await holdOpen(service.url, [head]);
      held.socket.write(chunked('x'.repeat(200_000), 1).slice(0, -1).join(''));
      await held.closed;
      // What it still writes may reset the connection before it has read the answer.
      for (const answer of readAnswers(await held.received()))
        expect(expectError(answer, 400)).toContain('too many small chunks');
    },
  );

  it('a body in many pieces of sixteen bytes is accepted', async () => {
    const body = bodyOf(MAX_BYTES).replace('é', 'ee');
    const head = headersOf(['Transfer-Encoding: chunked', 'Connection: close']);
    const pieces = chunked(body, 16).join('');
    const [answer] = await send(service.url, [rawRequest('POST /requests HTTP/1.1', head), pieces]);
    expect(answer?.status).toBe(201);
  });
});
