// A shop that is restored from last week's backup, and a person who was erased since.
import { copyFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createFindLeaks } from '../../helpers/find-leaks.ts';
import { until } from '../../helpers/until.ts';
import { watchLeaks } from '../../helpers/watch-leaks.ts';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { json, unwrite, folder, submit, untilTasks, addRows, rowsOf } = shop;
const MARK = 'Yw3annaMark58kq';
const ANNA = `${MARK}@example.com`;
const findLeaks = createFindLeaks([MARK]);
const TODAY = new Date().toISOString().slice(0, 10);

const statusOf = async (id: string): Promise<string> =>
  (await json('request', 'show', id)).request_status;

function backUp(): void {
  const database = new DatabaseSync(`${folder()}/shop.db`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(`${folder()}/shop.db`, `${folder()}/backup.db`);
}

function restore(): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${folder()}/shop.db${suffix}`, { force: true });
  copyFileSync(`${folder()}/backup.db`, `${folder()}/shop.db`);
}

describe('unwrite erase-again', () => {
  it('erases what a restored backup brought back; the request stays completed all the time', async () => {
    const watch = watchLeaks(shop.options().dataDir, findLeaks);
    addRows('acme', ANNA, 2, 'A-1');
    addRows('globex', ANNA, 1);
    backUp();
    const id = await submit('acme', [['email', ANNA]]);
    await untilTasks(id, 'acme', 'erased');
    expect(rowsOf('acme', ANNA)).toBe(0);
    await shop.server().kill('SIGTERM');
    restore();
    await shop.serveAgain();
    expect(rowsOf('acme', ANNA)).toBe(2);

    const command = ['erase-again', '--target', 'shop', '--since', TODAY];
    expect(await json(...command, '--dry-run')).toEqual({
      target: 'shop',
      dry_run: true,
      runs: 1,
      shredded: 0,
      open: 0,
      nobody: 0,
    });
    expect(rowsOf('acme', ANNA)).toBe(2);
    const { stdout } = await unwrite(...command, '--as', 'olga');
    expect(stdout).toContain('1 request will be erased again by the server.');

    const seen = new Set<string>();
    const isErased = async () => {
      seen.add(await statusOf(id));
      return rowsOf('acme', ANNA) === 0;
    };
    await until(isErased, () => 'it is not erased again');
    const tasks = await untilTasks(id, 'acme', 'erased', 'erased');
    expect([...seen, await statusOf(id)]).toEqual(['completed', 'completed']);
    expect(rowsOf('globex', ANNA)).toBe(1);
    expect(tasks.map(({ run }) => run).sort()).toEqual([1, 2]);
    const shown: { tasks: { evidence: unknown }[] } = await json('request', 'show', id);
    for (const { evidence } of shown.tasks) {
      expect(evidence).toMatchObject({ action: 'erased', tables: { customers: { rows: 2 } } });
    }
    const asked = await shop.audited(id, 'acme', 'request.erase_again_asked');
    expect(asked).toEqual([{ actor: 'operator:olga', detail: { target: 'shop' } }]);
    expect(await shop.audited(id, 'acme', 'request.erased_again')).toHaveLength(1);
    expect((await watch.stop()).leaks).toEqual([]);
    expect(findLeaks('the log', shop.server().output())).toEqual([]);
  });

  it.each([
    [['--target', 'crm', '--since', TODAY], 1, 'there is no target crm; there are: shop'],
    [['--target', 'shop', '--since', 'last week'], 2, 'It must be a day (UTC) or a time'],
    [['--target', 'shop', '--since', '2026-13-41'], 2, 'It must be a day (UTC) or a time'],
    [['--target', 'shop'], 2, "required option '--since <time>' not specified"],
    [
      ['--target', 'shop', '--since', TODAY, '--until', '2020-01-01'],
      2,
      '--until must not be before --since',
    ],
    [
      ['--target', 'paper', '--since', TODAY, '--controller', 'acme'],
      1,
      'the target paper is not for the controller acme',
    ],
    [
      ['--target', 'shop', '--since', TODAY, '--controller', 'nobody'],
      1,
      'there is no controller nobody',
    ],
  ])('refuses %j', async (args, exitCode, message) => {
    const result = await unwrite('erase-again', ...args);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
  });
});

describe('unwrite seen', () => {
  it('says whether, when and by which requests a person was erased', async () => {
    addRows('globex', 'bert@example.com', 1);
    const id = await submit('globex', [
      ['email', 'bert@example.com'],
      ['controller_customer_id', 'B-7'],
    ]);
    await untilTasks(id, 'globex', 'held', 'erased');
    const request = { subject_request_id: id, request_status: 'in_progress' };
    for (const who of [
      ['--email', 'BERT@example.com'],
      ['--customer-id', 'B-7'],
    ]) {
      const found = await json('seen', '--controller', 'globex', ...who, '--as', 'olga');
      expect(found).toMatchObject({ erased: false, requests: [request] });
    }
    const [task] = await untilTasks(id, 'globex', 'held', 'erased');
    await json('manual', 'confirm', String(task?.task), '--note', 'shredded');
    const { stdout, exitCode } = await unwrite(
      'seen',
      '--controller',
      'globex',
      '--email',
      'bert@example.com',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`${id} +completed `));
  });

  it('finds no person of another controller, no unknown person, and ends with 0', async () => {
    for (const args of [
      ['--controller', 'acme', '--customer-id', 'B-7'],
      ['--controller', 'globex', '--customer-id', 'b-7'],
    ]) {
      const { stdout, exitCode } = await unwrite('seen', ...args);
      expect([stdout, exitCode]).toEqual([expect.stringContaining('No request'), 0]);
    }
    expect((await unwrite('seen', '--controller', 'acme')).exitCode).toBe(2);
  });

  it('is in the audit log, by whom and for which controller, without the person', async () => {
    const asked = "SELECT actor, controller_id, detail FROM audit_rows WHERE action = 'seen.asked'";
    // On PostgreSQL they get there with their numbers, a moment later.
    await expect.poll(() => shop.inStore(asked), { timeout: 10_000 }).toHaveLength(5);
    const [first] = await shop.inStore(`${asked} ORDER BY audit_no`);
    expect(first).toMatchObject({ actor: 'operator:olga', controller_id: 'globex' });
    const detail = typeof first?.detail === 'string' ? JSON.parse(first.detail) : first?.detail;
    expect(detail).toEqual({ people: 1 });
  });
});
