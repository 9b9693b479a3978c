// Events from a real server, from the request to the operator's own system, and what the commands say of them.
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { answered, startEventReceiver } from '../../helpers/http/event-receiver.ts';
import { until } from '../../helpers/until.ts';
import { useShop } from '../use-shop.ts';

const receiver = await startEventReceiver();
afterAll(receiver.close);
const shop = useShop({
  events: { webhook: receiver.url },
  webhooks: { allow_private: ['127.0.0.1'] },
});
const { json, unwrite } = shop;

const typesOf = (id: string) =>
  receiver
    .events()
    .filter(({ subject_request_id: it }) => it === id)
    .map(({ type }) => type);
const untilTypes = (id: string, ...types: string[]) =>
  until(
    () => types.every((type) => typesOf(id).some((it) => it === type)),
    () => `only ${typesOf(id).join(', ')} came of ${id}`,
  );

describe('events', () => {
  it('follow a request to its end; a failing receiver gets them when it is back', async () => {
    await until(
      async () => (await json('events', 'status')).newest_audit_no > 0,
      () => 'nothing was looked at',
    );
    shop.addRows('acme', 'events@example.com', 2);
    const id = await shop.submit('acme', [['email', 'events@example.com']]);
    await untilTypes(id, 'request.started', 'request.completed');
    expect(JSON.stringify(receiver.calls)).not.toContain('events@example.com');

    receiver.answerWith(answered(503));
    shop.addRows('acme', 'many@example.com', 4);
    const held = await shop.submit('acme', [['email', 'many@example.com']]);
    await shop.untilTask(held, 'acme', 'held');
    await until(
      async () => (await json('events', 'status')).failures > 0,
      () => 'no failure was noted',
    );
    const { stdout } = await unwrite('events', 'status');
    expect(stdout).toMatch(/^Events do not arrive: \d+ failures? in a row\.$/m);
    expect(stdout).toContain('it answered 503 instead of 2xx');
    receiver.answerWith(answered(200));
    const before = receiver.calls.length;
    const { failures } = await json('events', 'send', '--from', '1', '--as', 'olga');
    expect(failures).toBeGreaterThan(0);
    await until(
      () => receiver.calls.length > before && typesOf(held).includes('request.held'),
      () => 'nothing was sent again',
    );
    const [event] = receiver.events().filter(({ type }) => type === 'request.held');
    expect(event).toMatchObject({ target: 'shop', reason: 'over_cap', controller_id: 'acme' });
    // Those of the first request came again, with the same ids.
    await until(
      () => typesOf(id).length === 4,
      () => `${typesOf(id).length} events of it`,
    );
    expect(new Set(receiver.events().map(({ id: it }) => it)).size).toBe(receiver.kept().length);
    await until(
      async () => (await json('events', 'status')).failures === 0,
      () => 'the failure did not end',
    );
  });

  it('the commands say what is wrong', async () => {
    const without = `${shop.folder()}/without.yaml`;
    writeFileSync(without, '{}');
    const unset = await unwrite('events', 'send', '--from', '1', '--config', without);
    expect(unset.exitCode).toBe(1);
    expect(unset.stderr).toMatch(/events.webhook is not set/);
    expect((await unwrite('events', 'status', '--config', without)).stdout).toMatch(
      /^events.webhook is not set/,
    );
    const future = await unwrite('events', 'send', '--from', '2999-01-01');
    expect(future.stderr).toMatch(/nothing is in the audit log from there on/);
    expect((await unwrite('events', 'send', '--from', '0')).exitCode).toBe(2);
    expect((await unwrite('events', 'send', '--from', 'yesterday')).exitCode).toBe(2);
  });
});
