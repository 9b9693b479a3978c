// To run: copy into packages/server/test/fulfilment/.
// Found: `unwrite preview` does not ask the gate. Structure is refused by the plan, but what only the rights
// tell (unseen-foreign-keys, unseen-triggers, a missing DELETE, a read-only server) is not: it says
// would_erase where a run waits with target_refused.
import { expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { createPreviewRequest } from '../../../src/fulfilment/preview-request.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { aTarget } from '../batch-world.ts';
import { createMemoryConnector } from '../memory-connector.ts';

it('a preview says that a run would wait for a target that its check refuses, and why', async () => {
  const memory = createMemoryConnector();
  memory.tricks.preview = async () => [
    {
      outcome: 'found',
      counts: byName([['people', 1]]),
      retained: {},
      keys: {},
      sharedWith: [],
    },
  ];
  const message = 'unwrite cannot see foreign keys of tables that it has no rights on';
  const connector: Connector = {
    ...memory,
    gate: async () => ({
      problems: [{ level: 'problem', subject: 'account', message }],
      accepted: {},
    }),
  };
  const look = createPreviewRequest([aTarget()], async () => connector, {
    isPaused: () => false,
    rowsToday: async () => 0,
    taskAt: () => undefined,
  });
  const { targets } = await look(subjectOf(0, [['email', 'jane@example.com']]));
  expect(targets[0]).toMatchObject({
    reason: 'target_refused',
    detail: expect.stringContaining(message),
  });
  expect(targets[0]?.outcome).not.toBe('would_erase');
});
