import { describe, expect } from 'vitest';
import { itOn, withTarget } from '../../misleading-schemas/misled-target.ts';
import { DELETING } from './deleting.ts';
import { FINDING } from './finding.ts';
import { OVERWRITING } from './overwriting.ts';

describe('ordinary schemas', () => {
  for (const { name, on, schema, settings, left } of [...FINDING, ...OVERWRITING, ...DELETING]) {
    for (const kind of on) {
      itOn(kind)(`lose the person and keep everybody else: ${name}, on ${kind}`, async () => {
        await withTarget(kind, schema, settings, async (shop) => {
          expect(await shop.problems()).toEqual([]);
          const request = await shop.request();
          const first = await shop.run();
          const result = first.outcomes[0]?.outcome === 'resolved' ? await shop.run() : first;
          expect([await shop.statusOf(request), result]).toMatchObject(['completed', {}]);
          for (const [from, rows] of Object.entries(left))
            expect([from, await shop.count(from)]).toEqual([from, rows]);
        });
      });
    }
  }
});
