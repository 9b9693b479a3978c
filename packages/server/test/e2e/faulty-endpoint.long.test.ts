// An http target that hangs or fails: the others go on, an operator sees it, and when it is back
// everything goes on by itself.
import { describe, expect, it } from 'vitest';
import { startFaultyWay } from '../helpers/faulty-way.ts';
import { PATIENCE, PEOPLE, useGoodTarget } from './beside-good-target.ts';
import { crmTarget, NO_FAULT, startCrm } from './set-up/crm.ts';
import { emailOf } from './set-up/shop.ts';

const beside = useGoodTarget();

describe('an http target', { timeout: PATIENCE }, () => {
  it('an endpoint that always fails with 500 is paused, reported, and called again until it works', async () => {
    const crm = await startCrm(PEOPLE.map(emailOf), (_, response) => {
      response.writeHead(500).end('<h1>Oops</h1>');
      return 'sent';
    });
    beside.closeAfter(crm.close);
    await beside.install(crmTarget(crm.url));
    const ids = await beside.submitAll();
    await beside.untilGoodIsDone();
    await beside.untilSeen(ids, 'crm', /^http_500$/);
    await beside.expectInProgress(ids);
    expect(crm.calls.length).toBeLessThan(20);
    crm.fault = NO_FAULT;
    await beside.expectAllCompleted(ids);
    expect(crm.people.size).toBe(0);
  });

  it('an endpoint that accepts connections and never answers is given up after its timeout', async () => {
    const crm = await startCrm(PEOPLE.map(emailOf), NO_FAULT);
    const way = await startFaultyWay(crm.port);
    beside.closeAfter(crm.close);
    beside.closeAfter(way.close);
    await beside.install(crmTarget(`http://127.0.0.1:${way.port}/erase`, 'timeout: 1s'));
    const ids = await beside.submitAll();
    await beside.untilGoodIsDone();
    await beside.untilSeen(ids, 'crm', /timeout|unreachable/);
    await beside.expectInProgress(ids);
    way.pass();
    await beside.expectAllCompleted(ids);
    expect(crm.people.size).toBe(0);
  });
});
