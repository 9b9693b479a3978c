// Requests that are forwarded to another processor, as a worker does it: on a virtual clock, over real HTTP.
import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpendsrConnector } from '../../../src/connectors/opendsr/create-opendsr-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { OpendsrTargetConfig } from '../../../src/domain/target/target.ts';
import { BY, HOUR } from '../../contract/fulfilment/under-test.ts';
import { type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../../fulfilment/batch-world.ts';
import { type OtherProcessor, opendsrTarget, startOtherProcessor } from './other-processor.ts';

const JANE = 'jane@example.com';
const OURS = 'us.example';

let world: BatchWorld;
let other: OtherProcessor;
let target: OpendsrTargetConfig;

beforeEach(async () => {
  other = await startOtherProcessor();
  await use({});
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await other.close();
});

const opened: BatchWorld[] = [];

async function use(changes: Partial<OpendsrTargetConfig>): Promise<void> {
  target = opendsrTarget(other.url, changes);
  world = await openBatchWorld([target]);
  opened.push(world);
}

async function run() {
  const connector = createOpendsrConnector(target, { domain: OURS });
  const work = world.createRun(world.under.store, async () => connector);
  return work(await world.scene.lease('mailer'), target);
}

const task = (request: NewRequest) => world.scene.task(request, 'mailer');
const later = (ms: number) => {
  world.clock.now += ms;
};
const idsSent = () => new Set(other.posts.map((post) => post.subject_request_id));

function endAll(status: string): void {
  for (const id of other.requests.keys()) other.requests.set(id, status);
}

describe('a request that is forwarded', () => {
  it('names the person, and nothing that tells whose request it is', async () => {
    const request = await world.erasureOf([JANE]);

    await run();

    const [id] = [...idsSent()];
    expect(other.posts).toEqual([
      {
        regulation: 'gdpr',
        subject_request_id: id,
        subject_request_type: 'erasure',
        submitted_time: request.submittedTime,
        subject_identities: [
          { identity_type: 'email', identity_value: JANE, identity_format: 'raw' },
        ],
        api_version: '2.0',
        extensions: { unwrite: { via: [OURS] } },
      },
    ]);
    expect(id).not.toBe(request.subjectRequestId);
    expect([...other.authorizations]).toEqual([`Basic ${btoa('us:secret')}`]);
  });

  it('waits without a lease until it is looked at again, and is never sent twice', async () => {
    const request = await world.erasureOf([JANE]);

    await run();

    expect(await task(request)).toMatchObject({
      state: 'waiting',
      reason: null,
      detail: expect.stringMatching(/has it as [0-9a-f-]{36}: pending$/),
      dueTime: world.clock.now + HOUR,
      reported: { requests: { action: 'forward', rows: 1 } },
    });
    await expect(world.scene.lease('mailer')).rejects.toThrow('nothing to do');
    for (const status of ['pending', 'in_progress', 'in_progress']) {
      endAll(status);
      later(HOUR);
      await run();
      expect(await task(request)).toMatchObject({ state: 'waiting', reason: null });
    }
    expect(other.posts).toHaveLength(1);
  });

  it('is done when the other processor says so, and the evidence says that it is its word', async () => {
    other.hasReceipts = true;
    const request = await world.erasureOf([JANE]);
    await run();
    endAll('completed');
    later(HOUR);

    await run();

    expect(await task(request)).toMatchObject({
      state: 'erased',
      evidence: {
        action: 'erased',
        verified: 'stated by the processor',
        tables: { requests: { action: 'forward', rows: 1 } },
        forwarded: {
          processor: new URL(other.url).host,
          subject_request_id: [...idsSent()][0],
          status: 'completed',
          signed: false,
          receipt: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    });
    expect(await world.scene.statusOf(request)).toBe('completed');
    expect(other.posts).toHaveLength(1);
  });

  it('is one of its own for each request about a person', async () => {
    const [first, second] = [await world.erasureOf([JANE]), await world.erasureOf([JANE])];
    await run();
    endAll('completed');
    later(HOUR);

    await run();

    expect(idsSent().size).toBe(2);
    for (const request of [first, second]) {
      const { evidence } = await task(request);
      expect(evidence).toMatchObject({ action: 'erased' });
      expect(evidence).not.toHaveProperty('already_erased_by');
    }
  });

  it('has only identities of the types that the target lists', async () => {
    const number = new Identity('controller_customer_id', '4711');
    const both = await world.erasureOf([], { identities: [new Identity('email', JANE), number] });
    const none = await world.erasureOf([], { identities: [number] });

    await run();

    expect(JSON.stringify(other.posts)).not.toContain('4711');
    expect(await task(both)).toMatchObject({ state: 'waiting' });
    expect(await task(none)).toMatchObject({ state: 'held', reason: 'no_usable_identity' });
  });

  it('is not sent in preview mode until an operator releases it', async () => {
    await use({ mode: 'preview' });
    const request = await world.erasureOf([JANE]);

    await run();

    const held = await task(request);
    expect(held).toMatchObject({ state: 'held', reason: 'preview_mode', previewedRows: 1 });
    expect(other.posts).toEqual([]);
    await world.under.operator.release(held.taskNo, { ...BY, now: world.clock.now });
    await run();
    expect(other.posts).toHaveLength(1);
  });
});

describe.each([
  { unknown: 404, duplicate: 409 },
  { unknown: 400, duplicate: 400 },
] as const)('where an unknown request is $unknown and a duplicate $duplicate', (dialect) => {
  beforeEach(() => {
    other.dialect = dialect;
  });

  it('an answer that is lost makes no second request', async () => {
    other.trick = 'lose the answer';
    const request = await world.erasureOf([JANE]);
    await run();
    expect(await task(request)).toMatchObject({ state: 'failed', reason: 'unreachable' });

    later(FIRST_RETRY_MS);
    await run();

    expect(await task(request)).toMatchObject({ state: 'waiting', reason: null });
    expect(other.posts).toHaveLength(1);
  });

  it('a request that breaks it does not hold up the others', async () => {
    other.trick = 'lose the answer';
    const [broken, next] = [
      await world.erasureOf([JANE]),
      await world.erasureOf(['b@example.com']),
    ];
    await run();
    expect(await task(broken)).toMatchObject({ state: 'failed', reason: 'unreachable' });
    expect(await task(next)).toMatchObject({ state: 'waiting', reason: null });
  });

  it('a request that did not arrive is sent again as the same', async () => {
    other.trick = 'lose the request';
    const request = await world.erasureOf([JANE]);
    await run();
    expect(other.requests.size).toBe(0);

    later(FIRST_RETRY_MS);
    await run();
    endAll('completed');
    later(HOUR);
    await run();

    expect(other.posts).toHaveLength(2);
    expect(idsSent().size).toBe(1);
    const { evidence } = await task(request);
    expect(evidence?.tables).toEqual({ requests: { action: 'forward', rows: 1 } });
  });

  it('a request that arrives after it was asked for is not taken for a stranger', async () => {
    other.trick = 'be late';
    const request = await world.erasureOf([JANE]);
    await run();

    later(FIRST_RETRY_MS);
    await run();

    expect(await task(request)).toMatchObject({ state: 'waiting', reason: null });
    expect(other.requests.size).toBe(1);
    expect(idsSent().size).toBe(1);
  });

  it('a duplicate of an id that was not sent from here fails, and another id is made', async () => {
    other.trick = 'say that it is a duplicate';
    const request = await world.erasureOf([JANE]);
    await run();
    expect(await task(request)).toMatchObject({ state: 'failed', reason: 'duplicate_id' });

    later(FIRST_RETRY_MS);
    await run();

    expect(await task(request)).toMatchObject({ state: 'waiting', reason: null });
    expect(idsSent().size).toBe(2);
  });

  it('a request that it refuses fails, and nothing counts as sent', async () => {
    other.trick = 'refuse';
    const request = await world.erasureOf([JANE]);

    await run();

    expect(await task(request)).toMatchObject({
      state: 'failed',
      reason: 'refused',
      reported: null,
    });
  });

  it('a request that it has taken and does not know any more is neither done nor sent again', async () => {
    const request = await world.erasureOf([JANE]);
    await run();
    other.requests.clear();

    for (let attempts = 0; attempts < 3; attempts++) {
      later(12 * HOUR);
      await run();
      expect(await task(request)).toMatchObject({ state: 'failed', reason: 'unknown_there' });
    }

    expect(other.posts).toHaveLength(1);
  });
});

describe('a request that the other processor cancels', () => {
  it('is held, and a release sends a new one', async () => {
    const request = await world.erasureOf([JANE]);
    await run();
    endAll('cancelled');
    later(HOUR);

    await run();

    const held = await task(request);
    expect(held).toMatchObject({ state: 'held', reason: 'refused_elsewhere' });
    await world.under.operator.release(held.taskNo, { ...BY, now: world.clock.now });
    await run();
    expect(await task(request)).toMatchObject({ state: 'waiting', reason: null });
    expect(idsSent().size).toBe(2);
  });
});

describe('answers that must be signed', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = String(pair.publicKey.export({ type: 'spki', format: 'pem' }));
  const signed = { domain: 'opendsr.mailer.example', publicKey };
  const signing = (domain: string) => (body: string) => ({
    'x-opendsr-processor-domain': domain,
    'x-opendsr-signature': sign('sha256', Buffer.from(body), pair.privateKey).toString('base64'),
  });

  it('are believed if they are', async () => {
    await use({ signed });
    other.headers = signing(signed.domain);
    const request = await world.erasureOf([JANE]);
    await run();
    endAll('completed');
    later(HOUR);

    await run();

    expect((await task(request)).evidence?.forwarded).toMatchObject({
      processor: signed.domain,
      signed: true,
    });
  });

  it.each([
    ['nobody', () => ({})],
    ['another processor', signing('evil.example')],
    ['the same one over another body', () => signing(signed.domain)('{}')],
  ])('are not believed if they are signed by %s', async (_, headers) => {
    await use({ signed });
    other.headers = headers;
    const request = await world.erasureOf([JANE]);

    const { down } = await run();

    expect(down).toMatchObject({ code: 'not_signed' });
    expect(await task(request)).toMatchObject({ state: 'waiting', reason: 'not_signed' });
    other.headers = signing(signed.domain);
    later(FIRST_RETRY_MS);
    await run();
    expect(other.posts).toHaveLength(1);
  });
});
