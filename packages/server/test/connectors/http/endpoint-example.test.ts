import type { AddressInfo, Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConnector } from '../../../src/connectors/create-connector.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { eraseOrders } from '../../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../../helpers/subject.ts';
import { httpTarget } from './endpoint-server.ts';

const EXAMPLE = import.meta.resolve('../../../../../examples/http-target/endpoint.ts');
const { createEndpoint } = (await import(EXAMPLE)) as {
  createEndpoint(secret: string, customers: Set<unknown>): Server;
};

const anna = subjectOf(1, [['email', 'Anna@example.com']]);
const ben = subjectOf(2, [['controller_customer_id', '7']]);
// A Kelvin sign, which Unicode folds into a k.
const kelvin = subjectOf(3, [['email', 'mi\u212Ae@example.com']]);

let server: Server;
let customers: Set<unknown>;

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

beforeEach(async () => {
  customers = new Set([
    { controllerId: 'acme', id: '1', email: 'anna@EXAMPLE.com' },
    { controllerId: 'acme', id: '7', email: 'ben@example.com' },
    { controllerId: 'acme', id: '8', email: 'mike@example.com' },
    { controllerId: 'globex', id: '7', email: 'anna@example.com' },
  ]);
  server = createEndpoint(SECRET, customers).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function connect(secret: string): Promise<Connector> {
  const { port } = server.address() as AddressInfo;
  const target = httpTarget(`http://127.0.0.1:${port}/`, { auth: { kind: 'hmac', secret } });
  return createConnector(target, { hash: String, domain: 'erase.example' });
}

describe('the example endpoint', () => {
  it('finds, erases once and verifies, for each person of the batch', async () => {
    const connector = await connect(SECRET);

    expect(await connector.preview([anna, ben, kelvin])).toMatchObject([
      { counts: { customers: 1 } },
      { counts: { customers: 1 } },
      { counts: { customers: 0 } },
    ]);
    const orders = [anna, ben].map((subject) => orderOf(subject, { customers: 1 }));
    expect(await connector.verify(orders)).toMatchObject([
      { outcome: 'remains' },
      { outcome: 'remains' },
    ]);
    expect(await eraseOrders(connector, orders)).toMatchObject([
      { outcome: 'erased', counts: { customers: 1 } },
      { outcome: 'erased', counts: { customers: 1 } },
    ]);
    expect(await eraseOrders(connector, orders)).toMatchObject([
      { outcome: 'erased', counts: { customers: 0 } },
      { outcome: 'erased', counts: { customers: 0 } },
    ]);
    expect(await connector.verify(orders)).toMatchObject([
      { outcome: 'gone' },
      { outcome: 'gone' },
    ]);
    expect([...customers]).toMatchObject([{ id: '8' }, { controllerId: 'globex' }]);
  });

  it('answers the call of the check', async () => {
    const lines = await (await connect(SECRET)).check();

    expect(lines.map(({ level }) => level)).toEqual(['ok', 'ok']);
  });

  it('refuses a call that is signed with another secret', async () => {
    const connector = await connect('other');

    await expect(connector.preview([anna])).rejects.toMatchObject({ code: 'auth_refused' });
  });
});
