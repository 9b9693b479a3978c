import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ConflictError,
  InvalidRequestError,
  NoAnswerError,
  RateLimitedError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../src/index.ts';
import {
  answer,
  broken,
  countedClock,
  created,
  failure,
  REQUEST,
  rejection,
  startProcessor,
  status,
  type TestProcessor,
} from './helpers/processor.ts';

let processor: TestProcessor;
beforeAll(async () => {
  processor = await startProcessor();
});
afterAll(() => processor.close());
beforeEach(() => {
  processor.received.length = 0;
});

const sent = () => processor.received.filter(({ method }) => method === 'POST');

describe('submitting a request', () => {
  it('sends the body of the contract, with a new id and a bearer token', async () => {
    processor.answers(created);
    const submitted = await processor.client().submit(REQUEST);
    expect(submitted.outcome).toBe('created');
    expect(submitted.answer.body.subject_request_id).toBe(submitted.subjectRequestId);
    const [post] = sent();
    expect(post?.headers.authorization).toMatch(/^Bearer token-/);
    expect(post?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(String(post?.body))).toEqual({
      ...REQUEST,
      subject_request_id: submitted.subjectRequestId,
      subject_request_type: 'erasure',
    });
    expect(submitted.subjectRequestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  it('takes the id and the time of the caller', async () => {
    processor.answers(created);
    const id = randomUUID();
    const time = new Date('2026-11-01T10:00:00Z');
    const request = { ...REQUEST, subject_request_id: id, submitted_time: time };
    expect((await processor.client().submit(request)).subjectRequestId).toBe(id);
    expect(JSON.parse(String(sent()[0]?.body)).submitted_time).toBe('2026-11-01T10:00:00.000Z');
  });

  it('shows no identities in the answer when it is printed', async () => {
    processor.answers(created);
    const submitted = await processor.client().submit(REQUEST);
    const printed = `${inspect(submitted, { depth: 9 })}${JSON.stringify(submitted)}`;
    expect(printed).not.toContain('jane');
    expect(printed).not.toContain(Buffer.from('jane').toString('base64').slice(0, 4));
    // They are there for signatures.
    expect(Buffer.from(submitted.answer.bytes).toString()).toContain('encoded_request');
  });

  it.each([429, 503, 502, 504, 408])('repeats the same bytes after %i', async (code) => {
    processor.answers(failure(code, 'later'), failure(code, 'later'), created);
    const clock = countedClock();
    const submitted = await processor.client({ clock }).submit(REQUEST);
    expect(submitted.outcome).toBe('created');
    expect(new Set(sent().map(({ body }) => String(body))).size).toBe(1);
    expect(sent()).toHaveLength(3);
    const [first = 0, second = 0] = clock.waits;
    expect([first >= 250 && first <= 500, second >= 500 && second <= 1000]).toEqual([true, true]);
  });

  it.each([
    ['seconds', () => '7'],
    ['a date', (now: number) => new Date(now + 7000).toUTCString()],
  ])('waits as long as Retry-After says, as %s', async (_, retryAfter) => {
    const clock = countedClock();
    processor.answers(failure(429, 'later', { 'retry-after': retryAfter(clock.now()) }), created);
    await processor.client({ clock }).submit(REQUEST);
    expect(clock.waits).toEqual([7000]);
  });

  it('gives up with the error where the processor asks for a longer wait than allowed', async () => {
    processor.answers(failure(429, 'too many', { 'retry-after': '3600' }));
    const error = await rejection(processor.client().submit(REQUEST));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000, status: 429 });
    expect(sent()).toHaveLength(1);
  });

  it('gives up after the given attempts', async () => {
    processor.answers(failure(503, 'away'));
    const error = await rejection(processor.client({ maxAttempts: 3 }).submit(REQUEST));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ outcomeUnknown: true });
    expect(sent()).toHaveLength(3);
  });

  it('says that the request may be stored where every answer was lost', async () => {
    processor.answers(broken);
    const error = await rejection(processor.client({ maxAttempts: 2 }).submit(REQUEST));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ outcomeUnknown: true });
  });

  it('says that nothing is stored where nobody listens', async () => {
    const away = await startProcessor();
    await away.close();
    const client = away.client({
      baseUrl: away.url,
      authorization: () => 'Bearer x',
      maxAttempts: 2,
    });
    const error = await rejection(client.submit(REQUEST));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ outcomeUnknown: false, reason: 'ECONNREFUSED' });
  });

  it('takes too long an attempt for lost', async () => {
    processor.answers(() => undefined, created);
    const submitted = await processor.client({ timeoutMs: 50 }).submit(REQUEST);
    expect(submitted.outcome).toBe('created');
    expect(sent()).toHaveLength(2);
  });
});

describe('409 after a lost answer', () => {
  const ID = randomUUID();
  const REUSED = { ...REQUEST, subject_request_id: ID };

  it.each([
    ['a broken connection', broken],
    ['503', failure(503, 'away')],
    ['half of the answer', half],
  ])('counts as stored after %s', async (_, lost) => {
    processor.answers(lost, failure(409, 'it exists'), status());
    const submitted = await processor.client().submit(REUSED);
    expect(submitted).toMatchObject({ outcome: 'stored_before', subjectRequestId: ID });
    expect(submitted.answer.body.expected_completion_time).toBe('2026-12-15T02:00:00.000Z');
  });

  it('counts as stored also where the answer in between says that nothing was done', async () => {
    processor.answers(broken, failure(429, 'later'), failure(409, 'it exists'), status());
    const submitted = await processor.client().submit(REUSED);
    expect(submitted.outcome).toBe('stored_before');
  });

  it('is a conflict where no answer was lost: the id is someone else’s', async () => {
    processor.answers(failure(409, 'it exists'));
    const error = await rejection(processor.client().submit(REUSED));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ status: 409, subjectRequestId: ID, outcomeUnknown: false });
  });

  it.each([
    ['429', failure(429, 'later')],
    ['401', failure(401, 'expired')],
  ])('is a conflict after %s, which stored nothing', async (_, refusal) => {
    processor.answers(refusal, failure(409, 'it exists'));
    expect(await rejection(processor.client().submit(REUSED))).toBeInstanceOf(ConflictError);
  });

  it('is a conflict where the request is a cancelled one, or cannot be found', async () => {
    processor.answers(broken, failure(409, 'it exists'), status('cancelled'));
    expect(await rejection(processor.client().submit(REUSED))).toBeInstanceOf(ConflictError);
    processor.answers(broken, failure(409, 'it exists'), failure(404, 'none'));
    expect(await rejection(processor.client().submit(REUSED))).toBeInstanceOf(ConflictError);
  });

  it('always counts as stored for an id that the client made', async () => {
    processor.answers(failure(409, 'it exists'), status());
    expect((await processor.client().submit(REQUEST)).outcome).toBe('stored_before');
  });

  it('counts as stored where the caller knows that it was sent before', async () => {
    processor.answers(failure(409, 'it exists'), status('cancelled'));
    const submitted = await processor.client().submit(REUSED, { mayBeStored: true });
    expect(submitted).toMatchObject({
      outcome: 'stored_before',
      answer: { body: { request_status: 'cancelled' } },
    });
  });
});

describe('errors', () => {
  it('say what the processor said', async () => {
    processor.answers(failure(400, 'regulation is missing', { 'x-request-id': 'r-1' }));
    const error = await rejection(processor.client().submit(REQUEST));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      message: 'the processor refused what was sent (400): regulation is missing',
      processorMessage: 'regulation is missing',
      requestId: 'r-1',
      operation: 'submit',
    });
  });

  it.each([
    'jane.doe@example.com is not an email',
    'JANE.DOE@EXAMPLE.COM?',
    'no such user: jane.doe',
    'jane.doe%40example.com',
    'jane.doe\\u0040example.com',
  ])('leave out a message that repeats an identity: %s', async (message) => {
    processor.answers(failure(400, message));
    const error = await rejection(processor.client().submit(REQUEST));
    expect(`${inspect(error)}${JSON.stringify(error)}`.toLowerCase()).not.toContain('jane');
    expect(error).toMatchObject({ processorMessage: undefined });
  });

  it('keep a message in which a short identity is only a part of another word', async () => {
    const subject_identities = [
      { identity_type: 'controller_customer_id', identity_value: '7', identity_format: 'raw' },
    ] as const;
    const request = { ...REQUEST, subject_identities };
    processor.answers(failure(400, 'must be like a7551968'));
    expect(await rejection(processor.client().submit(request))).toMatchObject({
      processorMessage: 'must be like a7551968',
    });
    processor.answers(failure(400, 'customer 7 is unknown'));
    expect(await rejection(processor.client().submit(request))).toMatchObject({
      processorMessage: undefined,
    });
  });

  it('are on one line, whatever the processor says', async () => {
    processor.answers(failure(400, `a\u001b[31m\nb ${'x'.repeat(1000)}`));
    const error = await rejection(processor.client().submit(REQUEST));
    expect((error as Error).message).toMatch(/^[^\p{Cc}]{1,600}$/u);
  });

  it.each([
    ['a redirect', answer(302, '', { location: 'https://elsewhere.test' }), /redirects/],
    ['another success', answer(200, {}), /answers 200/],
    ['no JSON', answer(201, '<html>'), /without the JSON/],
    ['another request', answer(201, { subject_request_id: randomUUID() }), /without the JSON/],
    ['an endless body', answer(201, 'x'.repeat(2_000_000)), /too large/],
  ])('tell %s from an answer of OpenDSR', async (_, handler, message) => {
    processor.answers(handler);
    const error = await rejection(processor.client({ maxAttempts: 1 }).submit(REQUEST));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect((error as Error).message).toMatch(message);
  });
});

function half(_: unknown, response: import('node:http').ServerResponse): void {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"controller_id":', () => response.destroy());
}
