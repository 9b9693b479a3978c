// The recipes that come with Unwrite, against services that behave like those that they describe: on a virtual clock, over
// real HTTP. What they name is never run against the vendors here.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestConnector } from '../../../src/connectors/rest/create-rest-connector.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { RestTargetConfig } from '../../../src/domain/target/target.ts';
import { packageFile } from '../../../src/files/own-files.ts';
import { useWrittenTargets } from '../../config/targets/written-targets.ts';
import { HOUR } from '../../contract/fulfilment/under-test.ts';
import { type BatchWorld, openBatchWorld } from '../../fulfilment/batch-world.ts';
import {
  type FakePeople,
  type Fault,
  startBraze,
  startHubspot,
  startMailchimp,
  startOpensearch,
  startZendesk,
} from './fake-service.ts';

const JANE = 'jane.doe@example.com';
const NAMESAKE = 'jane.doe@example.org';
const FAULTS: readonly Fault[] = ['lose the answer', 'fail before', 'be busy', 'be strange'];

const SERVICES = {
  zendesk: {
    start: startZendesk,
    settings: { subdomain: 'example' },
    secrets: { email: 'ops@us.example', token: 'secret' },
    object: 'users',
  },
  hubspot: {
    start: startHubspot,
    settings: { portal_id: '4711' },
    secrets: { token: 'secret' },
    object: 'contacts',
  },
  braze: {
    start: startBraze,
    settings: { instance: 'rest.iad-01', canary: 'canary-1' },
    secrets: { key: 'secret' },
    object: 'users',
  },
  opensearch: {
    start: startOpensearch,
    settings: { address: 'http://x', cluster_uuid: 'ours', index: 'users', field: 'user.email' },
    secrets: { username: 'u', password: 'p' },
    object: 'documents',
  },
  mailchimp: {
    start: startMailchimp,
    settings: { data_center: 'us21', account_id: 'us-0815' },
    secrets: { key: 'secret' },
    object: 'members',
  },
};

const written = useWrittenTargets();

for (const [name, { start, settings, secrets, object }] of Object.entries(SERVICES)) {
  describe(`the recipe ${name}`, () => {
    let fake: FakePeople;
    let world: BatchWorld;
    let target: RestTargetConfig;

    beforeEach(async () => {
      fake = await start();
      const source = readFileSync(packageFile(`recipes/${name}.yaml`), 'utf8');
      const here = source
        .replace(/^origin: .*$/m, `origin: ${fake.url}`)
        .replace(/^calls_per_minute: .*$/m, 'calls_per_minute: 60000')
        .replaceAll(/\b(count=|size: )100\b/g, '$12');
      written.write(`${name}.yaml`, here);
      target = written.one<'rest'>({
        connector: 'rest',
        recipe: `./${name}.yaml`,
        mode: 'erase',
        controllers: ['acme'],
        settings,
        secrets,
        allow_private: ['127.0.0.1'],
      });
      world = await openBatchWorld([target]);
      fake.add(JANE);
      fake.add(NAMESAKE);
    });
    afterEach(async () => {
      await world.close();
      await fake.close();
    });

    async function run() {
      const connector = createRestConnector(target, { pause: async () => undefined });
      await world.createRun(world.under.store, async () => connector)(
        await world.scene.lease(target.name),
        target,
      );
      await connector.close();
    }
    const task = (request: NewRequest) => world.scene.task(request, target.name);

    async function runUntilDone(request: NewRequest, tries = 10) {
      for (let tried = 0; tried < tries; tried++) {
        await run();
        const { state, evidence } = await task(request);
        if (state === 'erased') return evidence;
        expect(state).toMatch(/waiting|failed/);
        world.clock.now += 6 * HOUR;
      }
      throw new Error(`it does not come to an end: ${JSON.stringify(await task(request))}`);
    }

    it('erases the person, whom no search decides about, and looks again', async () => {
      const request = await world.erasureOf([JANE.toUpperCase()]);
      const evidence = await runUntilDone(request);
      expect(evidence).toMatchObject({
        action: 'erased',
        connector: 'rest',
        tables: { [object]: { action: 'erase', rows: 1 } },
        verified: 'requeried',
        service: { recipe: `./${name}.yaml`, leaves: target.recipe.leaves },
      });
      expect([fake.has(JANE), fake.has(NAMESAKE)]).toEqual([false, true]);
    });

    it('finds nobody where only others are', async () => {
      const request = await world.erasureOf(['nobody@example.com']);
      expect(await runUntilDone(request, 1)).toMatchObject({ action: 'not_found' });
      expect([fake.has(JANE), fake.has(NAMESAKE)]).toEqual([true, true]);
    });

    it('changes nothing with the credentials of another account', async () => {
      fake.isForeign = true;
      const request = await world.erasureOf([JANE]);
      await run();
      expect(await task(request)).toMatchObject({ state: 'waiting', reason: 'wrong_account' });
      expect(fake.has(JANE)).toBe(true);
    });

    // What a lost answer means is decided by the recipe; the other faults are the same for all of them.
    const faults = name === 'zendesk' ? FAULTS : FAULTS.slice(0, 1);
    describe.each(faults)('that may %s', (fault) => {
      it('at every call in turn, ends with the person gone and nobody else', async () => {
        const { calls } = fake;
        const first = await world.erasureOf([JANE]);
        await runUntilDone(first);
        const all = calls.length;
        expect(all).toBeGreaterThan(5);
        for (let no = 1; no <= all; no++) {
          const person = `person${no}@example.com`;
          fake.add(person);
          fake.faults.clear();
          fake.faults.set(calls.length + no, fault);
          const request = await world.erasureOf([person]);
          const evidence = await runUntilDone(request);
          expect(evidence, `call ${no}`).toMatchObject({ verified: 'requeried' });
          // Where no answer came, it is not known who erased it.
          const { rows = 0, unconfirmed = 0 } = evidence?.tables[object] ?? {};
          expect(rows + unconfirmed, `call ${no}`).toBe(1);
          expect([fake.has(person), fake.has(NAMESAKE)], `call ${no}`).toEqual([false, true]);
        }
      });
    });
  });
}
