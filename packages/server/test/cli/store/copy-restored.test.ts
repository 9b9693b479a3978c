// A store that went back in time is not copied: the files that know better stay in its folder, and no node would read them.
import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIRST_LINE } from '../../../src/restore/cancellation-file.ts';
import { freshPostgres, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { useInstallation } from '../use-installation.ts';

const { json, options, unwrite } = useInstallation('sqlite');

describe.skipIf(!(await hasPostgres()))('unwrite store copy of a restored store', () => {
  const time = new Date().toISOString();
  const HEAD = JSON.stringify({ head_no: 9, hash: 'ab'.repeat(32), time });
  const ID = 'a7551968-d5d6-44b2-9831-815ac9017798';
  const LINE = JSON.stringify({ time, controller_id: 'acme', subject_request_id: ID });
  const file = `cancelled-${time.slice(0, 10)}-0badcafe.jsonl`;

  it.each<[string, string, string, RegExp]>([
    ['a head', 'audit-head.json', HEAD, /has head 9 of the audit log, which the store lacks/],
    [
      'a file of a head that cannot be read',
      'audit-head.json',
      '',
      /audit-head\.json of .* cannot be read/,
    ],
    [
      'a cancellation',
      file,
      `${FIRST_LINE}${LINE}\n`,
      /has answered cancellations that the store lacks: 1/,
    ],
    ['a file of cancellations that cannot be read', file, 'x\nx\n', /\.jsonl of .* cannot be read/],
  ])('is refused where its folder has %s, and works without', async (_, name, text, problem) => {
    const target = await freshPostgres();
    const { dataDir } = options();
    await json('client', 'create', '--controller', 'acme');
    const copy = () => unwrite('store', 'copy', '--from', dataDir, '--to', target.url, '--quiet');
    try {
      writeFileSync(`${dataDir}/${name}`, text);
      const refused = await copy();
      process.exitCode = 0;
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(problem)]);
      expect(refused.stderr).toContain('restored confirm');
      rmSync(`${dataDir}/${name}`);
      expect(await copy()).toMatchObject({ exitCode: 0 });
    } finally {
      rmSync(`${dataDir}/${name}`, { force: true });
      rmSync(`${dataDir}/copied-to.json`, { force: true });
      await target.close();
    }
  });
});
