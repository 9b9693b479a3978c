// What every store promises about backups, seen from the command line.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useShop } from '../cli/use-shop.ts';
import type { StoreKind } from '../helpers/stores/test-store.ts';

/** Restoring writes to these: it is declared, and erasing is paused. */
const DECLARED = ['restores', 'brakes', 'audit_rows', 'new_audit_rows', 'alarms'];

export function describeBackup(storeKind: StoreKind): void {
  describe(`backups of a store on ${storeKind}`, { timeout: 180_000 }, () => {
    const shop = useShop({ cancellation_window: '1h' }, storeKind);
    const { json, unwrite, unwriteReading, submit, cancel, addRows, rowsOf } = shop;
    const dataDir = () => shop.options().dataDir;
    const statusOf = async (id: string) => (await json('request', 'show', id)).request_status;

    async function create(): Promise<string> {
      const folder = `${shop.folder()}/backups-${randomUUID()}`;
      mkdirSync(folder);
      return (await json('backup', 'create', '--to', folder)).file;
    }

    /** Of every table: its digest in the manifest, without those that a restore writes to. */
    function digestsIn(file: string): Record<string, unknown> {
      const manifest = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '');
      const tables = Object.entries(manifest.manifest.tables);
      return Object.fromEntries(tables.filter(([name]) => !DECLARED.includes(name)));
    }

    /** The machine is lost: all that is left is the master key. */
    async function destroy(): Promise<void> {
      await shop.server().kill('SIGTERM');
      for (const name of readdirSync(dataDir())) {
        if (name !== 'master.key') rmSync(`${dataDir()}/${name}`, { recursive: true });
      }
      await dropSchemas();
    }

    async function dropSchemas(): Promise<void> {
      if (storeKind === 'sqlite') return;
      await shop.inStore('DROP SCHEMA IF EXISTS unwrite CASCADE');
      await shop.inStore('DROP SCHEMA IF EXISTS unwrite_queue CASCADE');
    }

    const serveNow = () =>
      shop.serve('--config', `${shop.folder()}/unwrite.config.yaml`, '--cancellation-window', '0s');

    it('is a file that only its owner can read, with nothing of the data folder in it', async () => {
      const email = `someone-${randomUUID()}@example.com`;
      const id = await submit('acme', [['email', email]]);
      await cancel('acme', id);
      const file = await create();
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(dirname(file))).toEqual([basename(file)]);
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(id);
      expect(text).not.toContain(email);
      const key = /^[A-Za-z0-9+/]{43}=$/m.exec(
        readFileSync(`${dataDir()}/master.key`, 'utf8'),
      )?.[0];
      const bytes = Buffer.from(String(key), 'base64');
      expect(bytes).toHaveLength(32);
      for (const form of ['base64', 'base64url', 'hex', 'latin1'] as const) {
        expect(text).not.toContain(bytes.toString(form));
      }
      for (const line of ['"head_no":', '"unwrite":"cancellations"', '"row_key":']) {
        expect(text).not.toContain(line);
      }
    });

    it('is whole, or refused: cut off, changed, or of something else', async () => {
      const file = await create();
      const text = readFileSync(file, 'utf8');
      expect(await json('backup', 'verify', file)).toMatchObject({ kind: storeKind });
      const piped = await unwriteReading(text, 'backup', 'verify', '-');
      expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is whole') });

      const lines = text.trimEnd().split('\n');
      const withoutTable = lines.filter((line) => !line.startsWith('{"table":"controllers"'));
      for (const [other, problem] of [
        ['', 'it is empty'],
        ['a\n', 'was not made by'],
        [text.slice(0, text.length / 2), 'cut off'],
        [`${lines.slice(0, -1).join('\n')}\n`, 'cut off'],
        [text.replace('"acme"', '"acne"'), 'changed or damaged'],
        [`${withoutTable.join('\n')}\n`, 'changed or damaged'],
        [`${text}[1]\n`, 'after its manifest'],
        [text.replace('"format":1', '"format":2'), 'format 2'],
      ] as const) {
        const { exitCode, stderr } = await unwriteReading(other, 'backup', 'verify', '-');
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(problem)]);
      }
    });

    it('that cannot be opened is told from one that is not there', async () => {
      const loop = `${shop.folder()}/loop-${randomUUID()}`;
      symlinkSync(loop, loop);
      for (const [path, said] of [
        [loop, 'cannot be read by this user (ELOOP)'],
        [shop.folder(), 'there is no file'],
      ] as const) {
        const { exitCode, stderr } = await unwrite('backup', 'verify', path);
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(said)]);
      }
    });

    it('is not restored over a store, nor into the other database', async () => {
      const file = await create();
      const { exitCode, stderr } = await unwrite('backup', 'restore', file);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining(
          storeKind === 'sqlite' ? 'a server runs on' : 'nothing is written over it',
        ),
      ]);
      const other = readFileSync(file, 'utf8').replace(
        `"kind":"${storeKind}"`,
        `"kind":"${storeKind === 'sqlite' ? 'postgres' : 'sqlite'}"`,
      );
      const folder = `${shop.folder()}/elsewhere`;
      const refused = await unwriteReading(other, 'backup', 'restore', '-', '--data-dir', folder);
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/the backup is of a store on (PostgreSQL|SQLite)/),
      ]);
    });

    it('is restored with everything that was in it, and nothing starts before an operator has confirmed', async () => {
      const email = `person-${randomUUID()}@example.com`;
      addRows('acme', email, 1);
      const id = await submit('acme', [['email', email]]);
      const person = ['--controller', 'acme', '--email', email];
      const { hold } = await json('legal-hold', 'place', ...person, '--reason', 'a claim');
      const file = await create();
      await destroy();

      // A key of another store, and a backup that was cut off: neither leaves anything that a server would use.
      const text = readFileSync(file, 'utf8');
      const wrongKey = `${shop.folder()}/wrong.key`;
      writeFileSync(wrongKey, `${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 });
      const refused = await unwrite('backup', 'restore', file, '--master-key-file', wrongKey);
      expect([refused.exitCode, refused.stderr]).toEqual([
        78,
        expect.stringContaining('is not the one'),
      ]);
      expect(existsSync(`${dataDir()}/unwrite.db.restoring`)).toBe(false);
      const cut = await unwriteReading(text.slice(0, -100), 'backup', 'restore', '-');
      expect([cut.exitCode, cut.stderr]).toEqual([1, expect.stringContaining('cut off')]);
      const early = await unwrite('request', 'list');
      expect([early.exitCode, early.stderr]).toEqual([
        1,
        expect.stringContaining('unwrite backup restore'),
      ]);
      await expect(serveNow()).rejects.toThrow('unwrite backup restore');

      expect((await unwriteReading(text, 'backup', 'restore', '-')).stderr).toBe('');
      const again = await unwrite('backup', 'restore', file);
      expect([again.exitCode, again.stderr]).toEqual([
        1,
        expect.stringContaining('nothing is written over it'),
      ]);
      const second = await create();
      expect(digestsIn(second)).toEqual(digestsIn(file));
      expect((await json('backup', 'verify', second)).store).toBe(
        (await json('backup', 'verify', file)).store,
      );

      const server = await serveNow();
      expect(await json('restored', 'review')).toMatchObject({
        went_back: true,
        reason: expect.stringContaining('was restored by "unwrite backup restore"'),
      });
      expect(await unwrite('resume')).toMatchObject({ exitCode: 1 });
      expect(await statusOf(id)).toBe('pending');
      expect(rowsOf('acme', email)).toBe(1);
      expect(await json('restored', 'confirm')).toEqual({ cancelled: 0 });
      const [held] = await shop.untilTasks(id, 'acme', 'held');
      expect([held?.reason, rowsOf('acme', email)]).toEqual(['legal_hold', 1]);
      await json('legal-hold', 'lift', String(hold), '--reason', 'settled');
      await shop.untilTasks(id, 'acme', 'erased');
      expect(rowsOf('acme', email)).toBe(0);
      expect((await unwrite('audit', 'verify')).exitCode).toBe(0);
      await server.kill('SIGTERM');
    });

    it('finds after a restore what was cancelled since, in the files that are left', async () => {
      await shop.serveAgain();
      const id = await submit('acme', [['email', `late-${randomUUID()}@example.com`]]);
      const file = await create();
      await cancel('acme', id);
      await shop.server().kill('SIGTERM');
      for (const name of readdirSync(dataDir())) {
        if (name.startsWith('unwrite.db')) rmSync(`${dataDir()}/${name}`);
      }
      await dropSchemas();
      await json('backup', 'restore', file);
      await shop.serveAgain();
      expect(await statusOf(id)).toBe('pending');
      await json('restored', 'review');
      expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
      expect(await statusOf(id)).toBe('cancelled');
    });
  });
}
