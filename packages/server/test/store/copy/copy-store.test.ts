import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../src/store/copy/open-source.ts';
import { TABLE_NAMES } from '../../../src/store/copy/tables.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { readMigrations } from '../../../src/store/postgres/migrate.ts';
import { refuseUnfinishedCopy } from '../../../src/store/postgres/unfinished-copy.ts';
import { refuseCopied } from '../../../src/store/sqlite/copied-mark.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { changeStore } from './fill-store.ts';
import { Cut, cutBeforeComparing, cutWhen, differing, rowsOf, useCopy } from './use-copy.ts';

const ONE_BY_ONE = { rows: 1, bytes: 1_000_000 };
const unfinished = /unfinished copy of another/;

describe.skipIf(!(await hasPostgres()))('a copy from SQLite to PostgreSQL', () => {
  const { dataDir, sameElsewhere, another, freshTarget, copy } = useCopy();
  const bytesOf = (folder: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'unwrite.db')))
      .digest('hex');

  it('has every row of every table, and does not change the source', async () => {
    const { database } = await freshTarget();
    const before = bytesOf(dataDir());
    const result = await copy(database);
    expect(differing(result)).toEqual([]);
    expect(result.tables.map(({ table }) => table)).toEqual(TABLE_NAMES);
    expect(result.tables.every(({ source, target }) => source.rows > 0 && target.rows > 0)).toBe(
      true,
    );
    expect(result).toMatchObject({ wasFinished: false, copied: rowsOf(result) });
    expect(bytesOf(dataDir())).toBe(before);
    await refuseUnfinishedCopy(database);
    const wrong = await database.all(
      'SELECT 1 FROM @requests WHERE request_uuid::text <> lower(subject_request_id)',
    );
    expect(wrong).toEqual([]);
  });

  it('marks the source, so that no server starts on it again until somebody says so', async () => {
    const { database } = await freshTarget();
    const folder = sameElsewhere();
    const source = new DatabaseSync(join(folder, 'unwrite.db'), { readOnly: true });
    rmSync(join(folder, 'copied-to.json'), { force: true });
    refuseCopied(folder, source);
    await expect(copy(database, { report: cutBeforeComparing }, folder)).rejects.toThrow(Cut);
    refuseCopied(folder, source);

    await copy(database, {}, folder);

    const refused = () => refuseCopied(folder, source);
    expect(refused).toThrow(/was copied to PostgreSQL \(schema .*set UNWRITE_STORE/s);
    // As the message says.
    rmSync(join(folder, 'copied-to.json'));
    refuseCopied(folder, source);
    // A copy that was finished before is compared again, and marked again.
    await copy(database, {}, folder);
    expect(refused).toThrow(/delete .*copied-to\.json and start again/);
    // Another store in the same folder is not meant.
    changeStore(folder, (other) => other.exec('UPDATE master_keys SET created_time = 7'));
    refuseCopied(folder, source);
    writeFileSync(join(folder, 'copied-to.json'), '');
    expect(refused).toThrow(/cannot be read/);
    source.close();
  });

  it('continues numbering after the largest number that was ever assigned', async () => {
    const { database } = await freshTarget();
    await copy(database);
    const insert = `INSERT INTO @batches (target, phase, attempt, worker, leased_time, lease_until)
                    VALUES ('a', 'erase', 1, 'w', 0, 0) RETURNING batch_no AS no`;
    // SQLite remembers that there were more than are left.
    expect(await database.get(insert)).toEqual({ no: 901 });
    const alarm = `INSERT INTO @alarms (kind, subject, percent, message, raised_time)
                   VALUES ('new', 's', 0, 'm', 0) RETURNING alarm_no AS no`;
    expect(await database.get(alarm)).toEqual({ no: 6 });
  });

  it('begins with 1 if there is nothing', async () => {
    const { database } = await freshTarget();
    const empty = sameElsewhere();
    changeStore(empty, (source) => source.exec('DELETE FROM alarms'));
    await copy(database, {}, empty);
    const alarm = `INSERT INTO @alarms (kind, subject, percent, message, raised_time)
                   VALUES ('new', 's', 0, 'm', 0) RETURNING alarm_no AS no`;
    expect(await database.get(alarm)).toEqual({ no: 1 });
  });

  it('continues where it was cut off, in the middle of each table', async () => {
    const { database } = await freshTarget();
    // The one with a single row has no middle.
    for (const table of TABLE_NAMES.filter((name) => !name.endsWith('_progress'))) {
      let seen = 0;
      const report = cutWhen((at) => at.step === 'copying' && at.table === table && ++seen > 2);
      await expect(copy(database, { limits: ONE_BY_ONE, report })).rejects.toThrow(Cut);
      await expect(refuseUnfinishedCopy(database)).rejects.toThrow(unfinished);
    }
    const last = await copy(database, { limits: ONE_BY_ONE });
    expect(differing(last)).toEqual([]);
    // Only what the last of them had left: two of five were cut off behind.
    expect(last.copied).toBe(3);
    await refuseUnfinishedCopy(database);
  });

  it('is not finished while it is being compared', async () => {
    const { database } = await freshTarget();
    await expect(copy(database, { report: cutBeforeComparing })).rejects.toThrow(Cut);
    await expect(refuseUnfinishedCopy(database)).rejects.toThrow(unfinished);
    const result = await copy(database);
    expect(result).toMatchObject({ copied: 0, wasFinished: false });
    await refuseUnfinishedCopy(database);
  });

  it.each<[string, string, string]>([
    ['a value that was changed', "UPDATE @tasks SET detail = 'x' WHERE task_no = 2", 'tasks'],
    [
      'bytes that were changed',
      "UPDATE @own_secrets SET sealed = sealed || '\\x00'",
      'own_secrets',
    ],
    ['a number that was changed', 'UPDATE @receipts SET created_time = 0', 'receipts'],
    ['an id as a UUID', 'UPDATE @requests SET request_uuid = gen_random_uuid()', 'requests'],
    ['a row too few', 'DELETE FROM @audit_rows WHERE audit_no = 5', 'audit_rows'],
    [
      'a row too many',
      "INSERT INTO @brakes SELECT 'x' || n, 0, 'somebody' FROM generate_series(1, 50) n",
      'brakes',
    ],
    ['a row with another key', "UPDATE @plans SET plan_id = 'x' || plan_id", 'plans'],
  ])('finds %s', async (_, change, table) => {
    const { database } = await freshTarget();
    await expect(copy(database, { report: cutBeforeComparing })).rejects.toThrow(Cut);
    await database.run(change);
    expect(differing(await copy(database, { limits: { rows: 3, bytes: 200 } }))).toEqual([table]);
    await expect(refuseUnfinishedCopy(database)).rejects.toThrow(unfinished);
    expect(
      await database.all('SELECT table_name AS name FROM @copied_tables WHERE NOT is_done'),
    ).toEqual([{ name: table }]);

    expect(differing(await copy(database, { fromScratch: true }))).toEqual([]);
    await refuseUnfinishedCopy(database);
  });

  it('compares again when it is finished, and changes nothing', async () => {
    const { database } = await freshTarget();
    await copy(database);
    expect(await copy(database)).toMatchObject({ wasFinished: true, copied: 0 });
    await database.run('UPDATE @requests SET identity_count = 77 WHERE request_no = 1');
    expect(differing(await copy(database))).toEqual(['requests']);
    // Nodes may be using it.
    await refuseUnfinishedCopy(database);
    await expect(copy(database, { fromScratch: true })).rejects.toThrow(/nothing is removed/);
  });

  it('refuses a target that has anything in it, and writes nothing', async () => {
    for (const change of [
      "INSERT INTO @brakes VALUES ('*', 0, 'olga')",
      "INSERT INTO @new_audit_rows (time, actor, action) VALUES (0, 'a', 'b')",
      'UPDATE @alarm_progress SET looked_time = 1',
    ]) {
      const { database } = await freshTarget();
      await database.run(change);
      await expect(copy(database)).rejects.toThrow(/the target is not empty: .* rows in [a-z_]+;/);
      await expect(copy(database, { fromScratch: true })).rejects.toThrow(/is not empty/);
      expect(await database.all('SELECT 1 FROM @controllers')).toEqual([]);
      await refuseUnfinishedCopy(database);
    }
  });

  it('does not even migrate what is not its own', async () => {
    const { database } = await freshTarget();
    await database.run('DELETE FROM @schema_migrations');
    await expect(copy(database)).rejects.toThrow(/has tables that are not of Unwrite/);
    for (const { number, name, digest, worksFrom } of readMigrations()) {
      await database.run(
        `INSERT INTO @schema_migrations (number, name, digest, works_from)
         VALUES ($1, $2, $3, $4)`,
        [number, name, digest, worksFrom],
      );
    }
    await copy(database);
  });

  it('refuses to continue with another source, and to mix two moments of one', async () => {
    const { database } = await freshTarget();
    const source = sameElsewhere();
    const cut = { report: cutWhen(({ table }) => table === 'tasks') };
    await expect(copy(database, cut, source)).rejects.toThrow(Cut);

    await expect(copy(database, {}, await another())).rejects.toThrow(/a copy of another store/);
    changeStore(source, (it) =>
      it.exec("INSERT INTO audit_rows (time, actor, action) VALUES (0, 'a', 'b')"),
    );
    await expect(copy(database, {}, source)).rejects.toThrow(/since the copy began.*from-scratch/);
    expect(differing(await copy(database, { fromScratch: true }, source))).toEqual([]);

    changeStore(source, (it) =>
      it.exec("INSERT INTO audit_rows (time, actor, action) VALUES (0, 'a', 'b')"),
    );
    await expect(copy(database, {}, source)).rejects.toThrow(/is not in the target/);
  });

  it('may go on from another folder with the same store', async () => {
    const { database } = await freshTarget();
    const cut = { report: cutWhen(({ table }) => table === 'tasks') };
    await expect(copy(database, cut)).rejects.toThrow(Cut);
    expect(differing(await copy(database, {}, sameElsewhere()))).toEqual([]);
  });

  it('is not finished if somebody writes to the source in the meantime', async () => {
    const { database } = await freshTarget();
    const source = sameElsewhere();
    let isWritten = false;
    const report = () => {
      if (isWritten) return;
      isWritten = true;
      changeStore(source, (it) => it.exec("UPDATE controllers SET name = 'other'"));
    };
    await expect(copy(database, { report }, source)).rejects.toThrow(/another process wrote to/);
    await expect(refuseUnfinishedCopy(database)).rejects.toThrow(unfinished);
  });

  it('is not finished if a node uses the target at the same time', async () => {
    const { database } = await freshTarget();
    await expect(copy(database, { report: cutBeforeComparing })).rejects.toThrow(Cut);
    await database.run(
      "INSERT INTO @nodes VALUES ('n', 'h', 1, 'all', '1', 1, 0, 0, 'serving', 'x')",
    );
    await expect(copy(database)).rejects.toThrow(/another process uses the target.*nodes/);
    await expect(refuseUnfinishedCopy(database)).rejects.toThrow(unfinished);
  });

  it('stops where a second one works on the same target', async () => {
    const { database } = await freshTarget();
    const both = await Promise.allSettled([
      copy(database, { limits: ONE_BY_ONE }),
      copy(database, { limits: ONE_BY_ONE }, sameElsewhere()),
    ]);
    expect(both.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { message: expect.stringMatching(/another copy into this target/) } },
    ]);
    expect(differing(await copy(database))).toEqual([]);
  });

  it('keeps what PostgreSQL cannot, as its store would have', async () => {
    const { database } = await freshTarget();
    const source = sameElsewhere();
    changeStore(source, (it) => {
      it.prepare('UPDATE circuits SET detail = ?').run('a\0b');
      it.prepare('UPDATE tasks SET evidence = ?').run(JSON.stringify({ action: 'a\0\\u0000' }));
    });
    expect(differing(await copy(database, {}, source))).toEqual([]);
    expect(await one(database, 'SELECT detail AS it FROM @circuits')).toBe('a\u{fffd}b');
    expect(await one(database, "SELECT evidence::jsonb ->> 'action' AS it FROM @tasks")).toBe(
      'a\u{fffd}\\u0000',
    );
  });

  it('refuses what cannot be proof any more', async () => {
    const { database } = await freshTarget();
    const source = sameElsewhere();
    changeStore(source, (it) => it.prepare('UPDATE audit_rows SET actor = ?').run('a\0b'));
    await expect(copy(database, {}, source)).rejects.toMatchObject({ code: '22021' });
  });
});

async function one(database: Database, text: string): Promise<unknown> {
  return (await database.get<{ it: unknown }>(text))?.it;
}

describe('a source', () => {
  const { dataDir, sameElsewhere } = useCopy();

  it('is refused while a server runs on it', () => {
    const first = openSource(dataDir());
    expect(() => openSource(dataDir(), 0)).toThrow(/a server runs on .*; stop it first/);
    first.close();
    openSource(dataDir()).close();
  });

  it('is refused if it does not exist, or has an earlier version', () => {
    expect(() => openSource('/nonexistent')).toThrow(/there is no SQLite store in \/nonexistent/);
    const earlier = sameElsewhere();
    changeStore(earlier, (it) => it.exec('DELETE FROM schema_migrations WHERE number = 1'));
    expect(() => openSource(earlier)).toThrow(/run "unwrite migrate" on it first/);
  });
});
