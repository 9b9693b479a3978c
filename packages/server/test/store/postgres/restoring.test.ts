import { describe, expect, it } from 'vitest';
import { BY, planned, START } from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { usePostgres } from './use-postgres.ts';

describe.skipIf(!(await hasPostgres()))('confirming a restore beside other nodes', () => {
  const use = usePostgres();

  it('does not cancel again what is being leased at the same time', async () => {
    const { under, scene, whileOpen } = use();
    const request = await scene.started([planned('crm')]);
    await under.restores.declare('a test', { actor: 'system', now: BY.now });
    await under.restores.addFindings([
      { what: 'cancelled', time: START, ...request, source: 'node-1' },
    ]);
    const cancelled = await whileOpen(
      (sql) => sql.run('UPDATE @tasks SET attempts = 1'),
      () => under.restores.confirm(true, BY),
    );
    expect(cancelled).toBe(0);
    expect(await scene.statusOf(request)).toBe('in_progress');
  });
});
