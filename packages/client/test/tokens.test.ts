import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  RateLimitedError,
  TokenRefusedError,
  UnauthorizedError,
  UnexpectedAnswerError,
} from '../src/index.ts';
import {
  answer,
  broken,
  CREDENTIALS,
  countedClock,
  failure,
  type Handler,
  rejection,
  startProcessor,
  status,
  type TestProcessor,
  token,
} from './helpers/processor.ts';

let processor: TestProcessor;
beforeAll(async () => {
  processor = await startProcessor();
});
afterAll(() => processor.close());
beforeEach(() => {
  processor.received.length = 0;
  processor.tokenRequests.length = 0;
  processor.tokens(token());
  processor.answers(status());
});

const ID = randomUUID();

/** Answers only when it is told to. */
function held(handler: Handler) {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const waiting: Handler = async (received, response) => {
    asked.resolve();
    await gate.promise;
    await handler(received, response);
  };
  return { waiting, asked: asked.promise, open: gate.resolve };
}

describe('tokens', () => {
  it('are asked for as the contract says', async () => {
    await processor.client().status(ID);
    expect(processor.tokenRequests[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(String(processor.tokenRequests[0]?.body))).toEqual({
      client_id: CREDENTIALS.clientId,
      client_secret: CREDENTIALS.clientSecret,
      audience: CREDENTIALS.audience,
      grant_type: 'client_credentials',
    });
  });

  it('are asked for once by a hundred calls at the same time, and used by all', async () => {
    const client = processor.client();
    await Promise.all(Array.from({ length: 100 }, () => client.status(ID)));
    expect(processor.tokenRequests).toHaveLength(1);
    expect(processor.received).toHaveLength(100);
    expect(new Set(processor.received.map(({ headers }) => headers.authorization)).size).toBe(1);
  });

  it('are renewed a minute before they expire', async () => {
    const clock = countedClock();
    const client = processor.client({ clock });
    await client.status(ID);
    clock.advance(3_539_000);
    await client.status(ID);
    expect(processor.tokenRequests).toHaveLength(1);
    clock.advance(2000);
    await client.status(ID);
    expect(processor.tokenRequests).toHaveLength(2);
  });

  it('are replaced once where the processor refuses them, by a hundred calls as by one', async () => {
    const client = processor.client();
    await client.status(ID);
    const [old] = processor.received;
    processor.tokens(answer(200, { access_token: 'new', expires_in: 3600 }));
    processor.answers((received, response) => {
      const isOld = received.headers.authorization === old?.headers.authorization;
      (isOld ? failure(401, 'expired') : status())(received, response);
    });
    await Promise.all(Array.from({ length: 100 }, () => client.status(ID)));
    expect(processor.tokenRequests).toHaveLength(2);
  });

  it('that are refused again end the call', async () => {
    processor.answers(failure(401, 'not for this service'));
    const error = await rejection(processor.client().status(ID));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(processor.received).toHaveLength(2);
  });

  it('are asked for again after a broken connection and 503', async () => {
    processor.tokens(broken, failure(503, 'away'), token());
    await processor.client().status(ID);
    expect(processor.tokenRequests).toHaveLength(3);
  });

  it('are asked for again by the next call after a failure', async () => {
    processor.tokens(failure(401, 'wrong'), token());
    const client = processor.client();
    await rejection(client.status(ID));
    await client.status(ID);
    expect(processor.tokenRequests).toHaveLength(2);
  });

  it('of a caller that gives up still arrive for the others', async () => {
    const { waiting, asked, open } = held(token());
    processor.tokens(waiting);
    const client = processor.client();
    const controller = new AbortController();
    const given = rejection(client.status(ID, { signal: controller.signal }));
    const other = client.status(ID);
    await asked;
    controller.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    open();
    expect((await other).body.request_status).toBe('pending');
    expect(processor.tokenRequests).toHaveLength(1);
  });

  it('are not waited for once every caller has given up, and the next call asks again', async () => {
    const { waiting, asked } = held(token());
    processor.tokens(waiting, token());
    const client = processor.client();
    const controller = new AbortController();
    const given = rejection(client.status(ID, { signal: controller.signal }));
    await asked;
    controller.abort(new Error('enough'));
    await given;
    expect((await client.status(ID)).status).toBe(200);
    expect(processor.tokenRequests).toHaveLength(2);
  });
});

describe('a token endpoint that refuses', () => {
  it.each([
    ['in the shape of the contract', failure(401, 'credentials are wrong')],
    [
      'in that of RFC 6749',
      answer(401, { error: 'invalid_client', error_description: 'credentials are wrong' }),
    ],
  ])('is quoted, %s', async (_, handler) => {
    processor.tokens(handler);
    const error = await rejection(processor.client().status(ID));
    expect(error).toBeInstanceOf(TokenRefusedError);
    expect(error).toMatchObject({ processorMessage: 'credentials are wrong', operation: 'token' });
    expect(processor.received).toEqual([]);
  });

  it('is not quoted where it repeats the secret', async () => {
    processor.tokens(failure(401, `wrong: ${CREDENTIALS.clientSecret}`));
    const error = await rejection(processor.client().status(ID));
    expect(inspect(error)).not.toContain(CREDENTIALS.clientSecret);
  });

  it('with 429 says how long to wait', async () => {
    processor.tokens(failure(429, 'too many attempts', { 'retry-after': '300' }));
    expect(await rejection(processor.client().status(ID))).toBeInstanceOf(RateLimitedError);
  });

  it.each([
    ['a page', answer(200, '<html>')],
    ['a token that is no header', answer(200, { access_token: 'a\r\nb' })],
    ['a redirect', answer(302, '', { location: '/login' })],
  ])('with %s is not taken for a token', async (_, handler) => {
    processor.tokens(handler);
    expect(await rejection(processor.client().status(ID))).toBeInstanceOf(UnexpectedAnswerError);
  });
});

describe('another kind of authentication', () => {
  it('is asked for before every attempt, and sent as it is', async () => {
    let asked = 0;
    const client = processor.client({ authorization: async () => `Basic ${++asked}` });
    processor.answers(failure(503, 'away'), status());
    await client.status(ID);
    expect(processor.received.map(({ headers }) => headers.authorization)).toEqual([
      'Basic 1',
      'Basic 2',
    ]);
    expect(processor.tokenRequests).toEqual([]);
  });
});

describe('addresses', () => {
  it.each([
    ['baseUrl', 'http://opendsr.example.com', /begins with http:/],
    ['tokenUrl', 'http://10.0.0.7/oauth/token', /begins with http:/],
    ['baseUrl', 'opendsr.example.com', /absolute address/],
    ['baseUrl', 'ftp://opendsr.example.com', /absolute address/],
    ['baseUrl', 'https://user:pass@opendsr.example.com', /no credentials/],
    ['baseUrl', 'https://opendsr.example.com/?a=1', /no credentials, query/],
  ])('are refused: %s %s', (name, value, message) => {
    expect(() => processor.client({ [name]: value })).toThrow(message);
  });

  it('may begin with http where the caller allows it, or on this machine', () => {
    processor.client({ baseUrl: 'http://unwrite:8080', allowHttp: true });
    processor.client({ baseUrl: 'http://localhost:8080' });
  });

  it('may end with slashes, and have a path', async () => {
    await processor.client({ baseUrl: `${processor.url}/v2//` }).status(ID);
    expect(processor.received[0]?.path).toBe(`/v2/requests/${ID}`);
  });

  it('of requests may be others', async () => {
    await processor.client({ requestsPath: '/opendsr_requests' }).status(ID);
    expect(processor.received[0]?.path).toBe(`/opendsr_requests/${ID}`);
  });
});
