import { describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../src/connectors/http/create-http-connector.ts';
import { TargetDown } from '../../src/domain/target/connector.ts';
import { createConnectorsInUse } from '../../src/fulfilment/connectors-in-use.ts';
import { httpTarget, sendJson, startEndpoint } from '../connectors/http/endpoint-server.ts';
import { eraseFound } from '../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../helpers/subject.ts';
import { aTarget } from './batch-world.ts';
import { createMemoryConnector } from './memory-connector.ts';

const EMAIL = 'anna@example.com';

describe('a connector that was in trouble', () => {
  it('is made again, and what making it throws is about the target', async () => {
    let made = 0;
    let closed = 0;
    const inUse = createConnectorsInUse(async () => {
      made++;
      if (made === 3) throw new Error(EMAIL);
      const close = async () => {
        closed++;
        throw new Error('already closed');
      };
      return { ...createMemoryConnector(), close, check: () => Promise.reject(new Error(EMAIL)) };
    });
    const target = aTarget();
    const first = await inUse.connectorOf(target);
    expect(await inUse.connectorOf(target)).toBe(first);
    await expect(first.check()).rejects.toThrow(
      new TargetDown('connector_error', 'the connector failed unexpectedly (Error)'),
    );
    inUse.release(first);
    expect([made, closed]).toEqual([1, 0]);
    inUse.release(first);
    await new Promise(setImmediate);
    expect([made, closed]).toEqual([1, 1]);
    const second = await inUse.connectorOf(target);
    expect(second).not.toBe(first);
    await expect(second.check()).rejects.toThrow(TargetDown);
    await expect(inUse.connectorOf(target)).rejects.toThrow(TargetDown);
    await inUse.connectorOf(target);
    await inUse.close();
    expect([made, closed]).toEqual([4, 3]);
  });

  it('does not interrupt the erasing of another batch', async () => {
    const order = orderOf(subjectOf(1, [['email', EMAIL]]), { orders: 1 });
    let isPreviewed = false;
    const erasing = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<void>();
    const server = await startEndpoint(({ body }, response) => {
      const { action } = JSON.parse(body);
      if (action === 'preview' && !isPreviewed) {
        isPreviewed = true;
        return void sendJson(response, { subjects: [{ ref: '1', found: { orders: 1 } }] });
      }
      if (action !== 'erase') return void response.writeHead(500).end();
      erasing.resolve();
      void failed.promise.then(() =>
        sendJson(response, { subjects: [{ ref: '1', erased: { orders: 1 } }] }),
      );
      return undefined;
    });
    const target = httpTarget(server.url, { concurrency: 2 });
    const inUse = createConnectorsInUse(async () => createHttpConnector(target));
    const one = await inUse.connectorOf(target);
    const other = await inUse.connectorOf(target);

    const erasure = eraseFound(one, [order]);
    await erasing.promise;
    await expect(other.preview([order])).rejects.toMatchObject({ code: 'http_500' });
    inUse.release(other);
    failed.resolve();

    expect(await erasure).toEqual([{ outcome: 'erased', counts: { orders: 1 } }]);
    await inUse.close();
    await server.close();
  });

  it('is made once for batches that begin together', async () => {
    let made = 0;
    const inUse = createConnectorsInUse(async () => {
      made++;
      return createMemoryConnector();
    });

    const both = await Promise.all([inUse.connectorOf(aTarget()), inUse.connectorOf(aTarget())]);

    expect(both[0]).toBe(both[1]);
    expect(made).toBe(1);
    await inUse.close();
  });
});
