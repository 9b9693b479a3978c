import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientEvent,
  EndedOtherwiseError,
  NotFoundError,
  NotPendingError,
} from '../src/index.ts';
import {
  answer,
  broken,
  cancelled,
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

const ID = randomUUID();

describe('discover and status', () => {
  it('answer the JSON of the processor, with its exact bytes and headers', async () => {
    const body =
      '{ "api_version": "2.0", "supported_identities": [], "supported_subject_request_types": ["erasure"] }';
    const headers = { 'x-opendsr-processor-domain': 'p.test', 'x-opendsr-signature': 'abc' };
    processor.answers(answer(200, body, headers));
    const discovery = await processor.client().discover();
    expect(discovery.body.supported_subject_request_types).toEqual(['erasure']);
    expect(Buffer.from(discovery.bytes).toString()).toBe(body);
    expect(discovery).toMatchObject({ domain: 'p.test', signature: 'abc', status: 200 });
  });

  it('are 404 as an error of its own', async () => {
    processor.answers(failure(404, 'no such request'));
    expect(await rejection(processor.client().status(ID))).toBeInstanceOf(NotFoundError);
  });

  it('never put the id into a path unescaped', async () => {
    processor.answers(failure(404, 'no such request'));
    await rejection(processor.client().status('../discovery?x'));
    expect(processor.received[0]?.path).toBe('/requests/..%2Fdiscovery%3Fx');
  });
});

describe('cancel', () => {
  it('is a DELETE', async () => {
    processor.answers(cancelled);
    expect(await processor.client().cancel(ID)).toMatchObject({
      outcome: 'cancelled',
      answer: { body: { subject_request_id: ID } },
    });
    expect(processor.received).toMatchObject([{ method: 'DELETE', path: `/requests/${ID}` }]);
  });

  it('of a request that has started is an error of its own', async () => {
    processor.answers(failure(400, 'it is in progress'), status('in_progress'));
    expect(await rejection(processor.client().cancel(ID))).toBeInstanceOf(NotPendingError);
  });

  it.each([
    ['with its answer lost', [broken]],
    ['by an earlier call', []],
  ])('that was carried out is a success: %s', async (_, lost) => {
    processor.answers(...lost, failure(400, 'it is cancelled'), status('cancelled'));
    expect(await processor.client().cancel(ID)).toMatchObject({ outcome: 'cancelled_before' });
  });

  it('that came too late, with the first answer lost, is not', async () => {
    processor.answers(broken, failure(400, 'it is in progress'), status('in_progress'));
    expect(await rejection(processor.client().cancel(ID))).toBeInstanceOf(NotPendingError);
  });
});

describe('waitUntil', () => {
  it('polls less and less often until the status is there', async () => {
    processor.answers(
      status('pending'),
      status('pending'),
      status('in_progress'),
      status('completed'),
    );
    const clock = countedClock();
    const seen: string[] = [];
    const done = await processor.client({ clock }).waitUntil(ID, 'completed', {
      minIntervalMs: 1000,
      maxIntervalMs: 2000,
      onStatus: (it) => seen.push(it.request_status),
    });
    expect(done.body.request_status).toBe('completed');
    expect(seen).toEqual(['pending', 'pending', 'in_progress', 'completed']);
    const bounds = [
      [900, 1100],
      [1350, 1650],
      [1800, 2200],
    ] as const;
    expect(
      clock.waits.map((it, n) => it >= (bounds[n]?.[0] ?? 0) && it <= (bounds[n]?.[1] ?? 0)),
    ).toEqual([true, true, true]);
  });

  it('ends where the request ended in another way', async () => {
    processor.answers(status('cancelled'));
    const error = await rejection(processor.client().waitUntil(ID, 'completed'));
    expect(error).toBeInstanceOf(EndedOtherwiseError);
    expect(error).toMatchObject({ reason: 'cancelled', subjectRequestId: ID });
  });

  it('takes several', async () => {
    processor.answers(status('cancelled'));
    const { body } = await processor.client().waitUntil(ID, ['completed', 'cancelled']);
    expect(body.request_status).toBe('cancelled');
  });

  it('goes on while the processor is away', async () => {
    processor.answers(
      failure(503, 'away'),
      failure(429, 'later', { 'retry-after': '999' }),
      broken,
      failure(500, 'a fault'),
      status('completed'),
    );
    await processor.client({ maxAttempts: 1 }).waitUntil(ID, 'completed');
    expect(processor.received).toHaveLength(5);
  });

  it('ends with the reason of the signal', async () => {
    processor.answers(status('pending'));
    const controller = new AbortController();
    const waiting = processor.client().waitUntil(ID, 'completed', {
      signal: controller.signal,
      onStatus: () => controller.abort(new Error('enough')),
    });
    expect(await rejection(waiting)).toMatchObject({ message: 'enough' });
  });
});

describe('an abort signal', () => {
  const calls = {
    discover: (signal: AbortSignal) => processor.client().discover({ signal }),
    submit: (signal: AbortSignal) => processor.client().submit(REQUEST, { signal }),
    status: (signal: AbortSignal) => processor.client().status(ID, { signal }),
    cancel: (signal: AbortSignal) => processor.client().cancel(ID, { signal }),
    receipt: (signal: AbortSignal) => processor.client().receipt(ID, { signal }),
    send: (signal: AbortSignal) => processor.client().send({ path: '/audit/head', signal }),
  };

  it.each(Object.entries(calls))('ends %s while it waits for the answer', async (_, call) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    processor.answers(() => controller.abort(reason));
    expect(await rejection(call(controller.signal))).toBe(reason);
    expect(processor.received).toHaveLength(1);
  });

  it('ends a call before it begins', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await rejection(calls.status(signal))).toBe(signal.reason);
    expect(processor.received).toEqual([]);
  });

  it('ends the wait between two attempts, in real time', async () => {
    const controller = new AbortController();
    processor.answers(failure(503, 'away', { 'retry-after': '30' }));
    const onEvent = ({ type }: ClientEvent) => {
      if (type === 'retry') setImmediate(() => controller.abort(new Error('enough')));
    };
    const client = processor.client({ clock: undefined, onEvent } as never);
    const error = await rejection(client.status(ID, { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
  });
});

describe('the logging hook', () => {
  it('is told of every attempt and wait, without identities, secrets and tokens', async () => {
    processor.answers(failure(503, 'away', { 'x-request-id': 'r-1' }), broken, created);
    const events: ClientEvent[] = [];
    const client = processor.client({ onEvent: (event) => events.push(event) });
    const { subjectRequestId } = await client.submit(REQUEST);
    expect(events.map(({ type, operation }) => `${operation}: ${type}`)).toEqual([
      'token: answer',
      'submit: answer',
      'submit: retry',
      'submit: no answer',
      'submit: retry',
      'submit: answer',
    ]);
    expect(events[1]).toMatchObject({
      status: 503,
      requestId: 'r-1',
      attempt: 1,
      subjectRequestId,
    });
    expect(JSON.stringify(events)).not.toMatch(/jane|secret|token-/);
  });

  it('cannot break a call', async () => {
    processor.answers(created);
    const onEvent = () => {
      throw new Error('the disk of the log is full');
    };
    expect((await processor.client({ onEvent }).submit(REQUEST)).outcome).toBe('created');
  });
});

describe('send', () => {
  it('gives back whatever came, for calls that are not of OpenDSR', async () => {
    processor.answers(failure(418, 'teapot'));
    const raw = await processor.client().send({
      method: 'POST',
      path: '/other',
      body: Buffer.from('bytes'),
      headers: { 'content-type': 'text/plain' },
      authorize: false,
    });
    expect(raw.status).toBe(418);
    expect(processor.received).toMatchObject([{ method: 'POST', path: '/other' }]);
    expect(processor.received[0]?.headers.authorization).toBeUndefined();
    expect(String(processor.received[0]?.body)).toBe('bytes');
  });

  it('takes no path that would become a part of the host', async () => {
    const path = '@elsewhere.example.com/';
    const error = await rejection(processor.client().send({ path }));
    expect(error).toMatchObject({ message: 'path must begin with a slash' });
    expect(() => processor.client({ requestsPath: path })).toThrow('requestsPath must begin');
  });
});
