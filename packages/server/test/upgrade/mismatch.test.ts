import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { until } from '../helpers/until.ts';
import { KNOWN } from './invented-version.ts';
import { CONTRACTED, EXIT_CONFIG, EXPANDED, TOO_OLD, useVersions } from './use-versions.ts';

describe.skipIf(!(await hasPostgres()))('a node whose store was migrated under it', () => {
  const versions = useVersions('postgres');

  it('ends when it is too old for it: while it was silent, a newer one has removed what it uses', async () => {
    const old = await versions.start('a');
    await versions.query(
      `INSERT INTO unwrite.schema_migrations (number, name, digest, works_from)
       VALUES (${KNOWN + 1}, '${EXPANDED}', 'x', ${KNOWN}), (${KNOWN + 2}, '${CONTRACTED}', 'x', ${KNOWN + 1})`,
    );
    const { exitCode, output } = await versions.ended(old);
    expect(exitCode).toBe(EXIT_CONFIG);
    expect(output).toContain(TOO_OLD);
  });

  it('is not ready while an older version has made it, until it is started again', async () => {
    const newer = await versions.start('a', versions.next());
    await versions.query(`DELETE FROM unwrite.schema_migrations WHERE number = ${KNOWN + 1}`);
    await until(
      async () => (await versions.reasons(newer)).length > 0,
      () => newer.output(),
    );
    expect(await versions.reasons(newer)).toEqual([
      `the store lacks ${EXPANDED}: start this node again, so that it migrates`,
    ]);
  });
});
