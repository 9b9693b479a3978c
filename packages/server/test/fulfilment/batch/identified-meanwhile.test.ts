// Identities are added to a request after a worker has died, so that it finds rows that a younger request was about to erase.
import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { aRow, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';

it('rows that an older request of the same batch has just erased are not claimed by a younger one whose worker died', async () => {
  const world = await openBatchWorld();
  const { connector, under, clock } = world;
  connector.rows = [aRow(JANE)];
  const identities = [new Identity('controller_customer_id', '7')];
  const older = await world.erasureOf([], { identities });
  const younger = await world.erasureOf([JANE]);
  await world.dieAfter('recordIntents');
  const email = new Identity('email', JANE);
  const sealed = under.sealIdentities(older, [email]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(older, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  await world.run();

  expect(connector.rows).toEqual([]);
  const [first] = await world.scene.tasksOf(older);
  expect(first?.evidence).toMatchObject({
    action: 'erased',
    tables: { [TABLE]: { rows: 1 } },
  });
  expect(await world.evidenceOf(younger)).toMatchObject({
    action: 'already_erased',
    already_erased_by: [older.subjectRequestId],
    tables: { [TABLE]: { rows: 0 } },
  });
  await world.close();
});
