import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import type { Counts } from '../../../src/domain/target/connector.ts';
import type { HttpTargetConfig } from '../../../src/domain/target/target.ts';
import { eraseOrders } from '../../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../../helpers/subject.ts';
import { type EndpointServer, type Handler, httpTarget, startEndpoint } from './endpoint-server.ts';

const anna = subjectOf(1, [
  ['email', 'Anna@example.com'],
  ['controller_customer_id', '  007 '],
]);
const ben = subjectOf(2, [['email', 'ben@example.com']], 'globex');

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let server: EndpointServer | undefined;
afterEach(() => server?.close());

async function connectorTo(handle: Handler, changes: Partial<HttpTargetConfig> = {}) {
  server = await startEndpoint(handle);
  return createHttpConnector(httpTarget(server.url, changes));
}

const answering = (subjects: readonly unknown[]) => () => ({ subjects });

describe('what the endpoint is sent', () => {
  it('is one POST with all subjects of the batch and their identities as submitted', async () => {
    const found = [
      { ref: '1', found: {} },
      { ref: '2', found: {} },
    ];
    const connector = await connectorTo(answering(found));

    await connector.preview([anna, ben]);

    expect(server?.calls).toHaveLength(1);
    const [call] = server?.calls ?? [];
    expect(call).toMatchObject({ method: 'POST', path: '/erase' });
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      version: 1,
      action: 'preview',
      subjects: [
        {
          ref: '1',
          controller_id: 'acme',
          subject_request_id: anna.subjectRequestId,
          identities: [
            { type: 'email', value: 'Anna@example.com' },
            { type: 'controller_customer_id', value: '  007 ' },
          ],
        },
        {
          ref: '2',
          controller_id: 'globex',
          subject_request_id: ben.subjectRequestId,
          identities: [{ type: 'email', value: 'ben@example.com' }],
        },
      ],
    });
  });

  it('says on erase and verify what the preview had found', async () => {
    const connector = await connectorTo(({ body }) =>
      JSON.parse(body).action === 'erase'
        ? { subjects: [{ ref: '1', erased: { orders: 3 } }] }
        : { subjects: [{ ref: '1', remaining: {} }] },
    );
    const order = orderOf(anna, { orders: 3 });

    await eraseOrders(connector, [order]);
    await connector.verify([order]);

    const bodies = server?.calls.map(({ body }) => JSON.parse(body));
    expect(bodies?.map(({ action }) => action)).toEqual(['preview', 'erase', 'verify']);
    for (const body of bodies?.slice(1) ?? [])
      expect(body.subjects[0].expected).toEqual({ orders: 3 });
  });

  it('has no credentials with auth none', async () => {
    const connector = await connectorTo(answering([{ ref: '1', found: {} }]));

    await connector.preview([anna]);

    expect(server?.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(server?.calls[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('carries a bearer token, or a name and password', async () => {
    const found = answering([{ ref: '1', found: {} }]);
    const bearer = await connectorTo(found, { auth: { kind: 'bearer', token: 's3cret' } });
    await bearer.preview([anna]);
    expect(server?.calls[0]?.headers.authorization).toBe('Bearer s3cret');
    await server?.close();

    const auth = { kind: 'basic', username: 'unwrite', password: 'pä:ss' } as const;
    const basic = await connectorTo(found, { auth });
    await basic.preview([anna]);
    const pair = Buffer.from('unwrite:pä:ss').toString('base64');
    expect(server?.calls[0]?.headers.authorization).toBe(`Basic ${pair}`);
  });

  it('is signed as the Standard Webhooks specification has it, with an id of its own', async () => {
    const auth = { kind: 'hmac', secret: SECRET } as const;
    const connector = await connectorTo(answering([{ ref: '1', found: {} }]), { auth });

    await connector.preview([anna]);
    await connector.preview([anna]);

    const receiver = new Webhook(SECRET);
    const calls = server?.calls ?? [];
    for (const { headers, body } of calls) {
      expect(receiver.verify(body, headers as Record<string, string>)).toMatchObject({
        action: 'preview',
      });
      expect(() => receiver.verify(`${body} `, headers as Record<string, string>)).toThrow();
    }
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('is nothing at all for a request without identities', async () => {
    const connector = await connectorTo(answering([{ ref: '2', found: { orders: 1 } }]));

    expect(await connector.preview([subjectOf(7, [])])).toEqual([{ outcome: 'unmatched' }]);
    expect(server?.calls).toHaveLength(0);
    expect(await connector.preview([subjectOf(7, []), ben])).toMatchObject([
      { outcome: 'unmatched' },
      { outcome: 'found', counts: { orders: 1 } },
    ]);
  });
});

describe('what the endpoint answers', () => {
  it('gives the counts of each subject, in any order', async () => {
    const connector = await connectorTo(
      answering([
        { ref: '2', found: {}, retained: { invoices: 2 } },
        { ref: '1', found: { orders: 3 } },
      ]),
    );

    expect(await connector.preview([anna, ben])).toEqual([
      { outcome: 'found', counts: { orders: 3 }, retained: {}, keys: {}, sharedWith: [] },
      { outcome: 'found', counts: {}, retained: { invoices: 2 }, keys: {}, sharedWith: [] },
    ]);
  });

  it('may be that it has no use for the identities', async () => {
    const connector = await connectorTo(answering([{ ref: '1', unmatched: true }]));

    expect(await connector.preview([anna])).toEqual([{ outcome: 'unmatched' }]);
  });

  it('fails a subject that it leaves out, names twice, or has an error for, and no other', async () => {
    const cyd = subjectOf(3, [['email', 'cyd@example.com']]);
    const dan = subjectOf(4, [['email', 'dan@example.com']]);
    const connector = await connectorTo(
      answering([
        { ref: '2', found: {} },
        { ref: '2', found: {} },
        { ref: '3', error: 'account_locked' },
        { ref: '4', found: { orders: 1 } },
      ]),
    );

    expect(await connector.preview([anna, ben, cyd, dan])).toMatchObject([
      { outcome: 'failed', code: 'no_answer' },
      { outcome: 'failed', code: 'bad_answer' },
      { outcome: 'failed', code: 'account_locked' },
      { outcome: 'found', counts: { orders: 1 } },
    ]);
  });

  it.each([
    'No such person: anna@example.com',
    '<h1>oops</h1>',
    '',
    17,
    'anna_example_com_and_more_than_forty_letters',
  ])('has an error code of a fixed shape or none: %j', async (error) => {
    const connector = await connectorTo(answering([{ ref: '1', error }]));

    expect(await connector.preview([anna])).toMatchObject([
      { outcome: 'failed', code: 'target_error' },
    ]);
  });

  it('never carries an identity on in a code or a name', async () => {
    const person = subjectOf(1, [['controller_customer_id', 'cust_48151']]);
    const asCode = await connectorTo(answering([{ ref: '1', error: 'no_cust_48151' }]));
    const [failed] = await asCode.preview([person]);
    expect(failed).toMatchObject({ outcome: 'failed', code: 'target_error' });
    await server?.close();

    const asName = await connectorTo(answering([{ ref: '1', found: { 'files.CUST_48151': 1 } }]));
    const [bad] = await asName.preview([person]);
    expect(bad).toMatchObject({ outcome: 'failed', code: 'bad_answer' });
    expect(JSON.stringify([failed, bad]).toLowerCase()).not.toContain('48151');
  });

  it.each([
    undefined,
    null,
    3,
    [],
    { orders: -1 },
    { orders: 1.5 },
    { orders: '3' },
    { 'anna@example.com': 1 },
    { ['__proto__']: 1 },
    { ['x'.repeat(65)]: 1 },
  ])('must be names and whole numbers: %j', async (found) => {
    const connector = await connectorTo(answering([{ ref: '1', found, outcome: 'found' }]));

    expect(await connector.preview([anna])).toMatchObject([
      { outcome: 'failed', code: 'bad_answer' },
    ]);
  });

  it('cannot pose as an outcome of ours', async () => {
    const posing = {
      ref: '1',
      outcome: 'failed',
      code: 'anna@example.com',
      detail: 'anna@example.com',
    };
    const connector = await connectorTo(answering([posing]));

    const outcomes = await connector.preview([anna]);

    expect(outcomes).toMatchObject([{ outcome: 'failed', code: 'bad_answer' }]);
    expect(JSON.stringify(outcomes)).not.toContain('anna@');
  });

  it('is refused as a whole if it contains a subject that was not in the call', async () => {
    const connector = await connectorTo(
      answering([
        { ref: '1', found: {} },
        { ref: '99', found: {} },
      ]),
    );

    await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'bad_answer' });
  });
});

describe('erasing and verifying', () => {
  const order = orderOf(anna, { orders: 3, notes: 1 });

  it('returns what was erased, even if it is less than expected', async () => {
    const connector = await connectorTo(answering([{ ref: '1', erased: { orders: 2 } }]));

    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { orders: 2 } },
    ]);
  });

  it.each<Counts>([{ orders: 4, notes: 0 }, { orders: 3, letters: 1 }, { constructor: 1 }])(
    'holds what reports more than was previewed: %j',
    async (erased) => {
      const connector = await connectorTo(answering([{ ref: '1', erased }]));

      expect(await eraseOrders(connector, [order])).toMatchObject([
        { outcome: 'held', reason: 'more_than_previewed' },
      ]);
    },
  );

  it('believes that all is gone when nothing or zeros remain', async () => {
    const connector = await connectorTo(
      answering([
        { ref: '1', remaining: { orders: 0 } },
        { ref: '2', remaining: {} },
      ]),
    );

    expect(await connector.verify([order, orderOf(ben, { orders: 1 })])).toEqual([
      { outcome: 'gone', how: 'requeried' },
      { outcome: 'gone', how: 'requeried' },
    ]);
  });

  it('names the rows that the endpoint still finds', async () => {
    const connector = await connectorTo(answering([{ ref: '1', remaining: { orders: 1 } }]));

    expect(await connector.verify([order])).toEqual([
      { outcome: 'remains', counts: { orders: 1 } },
    ]);
  });

  it('does not treat a missing field as nothing left', async () => {
    const connector = await connectorTo(answering([{ ref: '1' }]));

    expect(await connector.verify([order])).toMatchObject([{ outcome: 'failed' }]);
    expect(await eraseOrders(connector, [order])).toMatchObject([{ outcome: 'failed' }]);
  });

  it('does not re-query if the target is trusted, and says so', async () => {
    const connector = await connectorTo(answering([]), { verify: 'none' });

    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'reported' }]);
    expect(server?.calls).toHaveLength(0);
  });
});
