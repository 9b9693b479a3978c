import { describe, expect, it } from 'vitest';
import { createSandboxConnector } from '../../../src/connectors/sandbox/create-sandbox-connector.ts';
import { sandboxName } from '../../../src/connectors/sandbox/sandbox-people.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { EraseOrder, Subject } from '../../../src/domain/target/connector.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { eraseFound } from '../../helpers/erase-found.ts';

function person(value: string): Subject {
  return {
    taskNo: 1,
    controllerId: 'acme' as ControllerId,
    subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798' as never,
    identities: [new Identity('email', value)],
  };
}

const nameOf = (value: string) => sandboxName([new Identity('email', value)]);

describe('the people of a sandbox', () => {
  it.each([
    ['held@sandbox.invalid', 'held'],
    ['Held+4711@Sandbox.Invalid', 'held'],
    ['held@sandbox.invalid.example.com', undefined],
    ['held@sandboxxinvalid', undefined],
    ['x-held@sandbox.invalid', undefined],
    ['somebody@sandbox.invalid', undefined],
    ['held', undefined],
  ])('%s is %s', (value, name) => {
    expect(nameOf(value)).toBe(name);
  });

  it('may be named by a customer number, beside other identities', () => {
    const identities = [
      new Identity('email', 'jane@example.com'),
      new Identity('controller_customer_id', 'notfound@sandbox.invalid'),
    ];
    expect(sandboxName(identities)).toBe('notfound');
  });
});

describe('the connector of a sandbox', () => {
  it('finds everybody, and erases and verifies what it found', async () => {
    const connector = createSandboxConnector({ wait: async () => undefined });
    const subject = person('jane@example.com');
    const [found] = await connector.preview([subject]);
    expect(found).toMatchObject({ outcome: 'found', counts: { customers: 1, orders: 3 } });
    const counts = found?.outcome === 'found' ? found.counts : {};
    const order = { ...subject, counts, keys: {} } as unknown as EraseOrder;
    expect(await eraseFound(connector, [order])).toEqual([{ outcome: 'erased', counts }]);
    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'requeried' }]);
  });

  it('is slow with one person only, and lets go when it is closed', async () => {
    const waits: number[] = [];
    const connector = createSandboxConnector({
      wait(ms, signal) {
        waits.push(ms);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
    await connector.preview([person('jane@example.com')]);
    expect(waits).toEqual([]);
    const slow = connector.preview([person('slow@sandbox.invalid')]);
    expect(waits).toEqual([20_000]);
    await connector.close();
    await expect(slow).rejects.toMatchObject({ code: 'sandbox_closed' });
  });
});
