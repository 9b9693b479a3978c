// A backup of our own store is restored, and somebody had cancelled since.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StoreKind } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';
import { backUpStore, restoreStore } from './back-up-store.ts';

/** `npm test` has the walk only: what a damaged file means is tested in test/restore/, too. */
export function describeRestoredStore(
  storeKind: StoreKind,
  { canRun = true, isLong = false } = {},
): void {
  describe.skipIf(!canRun)(
    `a store that was restored, on ${storeKind}`,
    { timeout: 180_000 },
    () => {
      const shop = useShop({ cancellation_window: '1h' }, storeKind);
      const { json, unwrite, submit, cancel, addRows, rowsOf } = shop;
      const dataDir = () => shop.options().dataDir;
      const headFile = () => `${dataDir()}/audit-head.json`;
      const headNo = (): number =>
        existsSync(headFile()) ? JSON.parse(readFileSync(headFile(), 'utf8')).head_no : 0;
      const statusOf = async (id: string) => (await json('request', 'show', id)).request_status;
      /** Whatever is pending is due. */
      const serveNow = () =>
        shop.serve(
          '--config',
          `${shop.folder()}/unwrite.config.yaml`,
          '--cancellation-window',
          '0s',
        );
      let persons = 0;

      /** Answers the request that was cancelled, in a store that does not know it. */
      async function loseCancellation(
        restore = () => restoreStore(shop),
      ): Promise<{ id: string; email: string }> {
        const email = `person-${++persons}@example.com`;
        addRows('acme', email, 1);
        if (persons > 1) await shop.serveAgain();
        const id = await submit('acme', [['email', email]]);
        await shop.server().kill('SIGTERM');
        await backUpStore(shop);
        cpSync(dataDir(), `${shop.folder()}/data-backup`, { recursive: true });
        await shop.serveAgain();
        await cancel('acme', id);
        await shop.server().kill('SIGTERM');
        await restore();
        return { id, email };
      }

      /** A sweep of the worker has passed: another request would be erased by now. */
      async function untilSwept(): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }

      async function untilErasingAgain(): Promise<void> {
        const next = await submit('acme', [['email', 'nobody@example.com']]);
        await shop.untilTasks(next, 'acme', 'erased');
      }

      it('starts nothing until an operator has reviewed and confirmed, and cancels again', async () => {
        const { id, email } = await loseCancellation();
        const known = headNo();
        let server = await serveNow();
        expect(server.output()).toContain('if a backup was restored, requests that were cancelled');
        await untilSwept();
        expect(await statusOf(id)).toBe('pending');
        expect(headNo()).toBe(known);

        const attention = { reason: 'store_went_back', state: 'paused', target: null };
        expect((await json('request', 'list', '--attention'))[0]).toMatchObject(attention);
        expect((await unwrite('request', 'list', '--attention')).stdout).toMatch(
          /^All erasing has been paused since .*"unwrite restored review" says what to do/,
        );
        const resumed = await unwrite('resume');
        expect(resumed).toMatchObject({ exitCode: 1 });
        expect(resumed.stderr).toContain('unwrite restored review');
        expect(await unwrite('restored', 'confirm')).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('was not reviewed'),
        });

        await server.kill('SIGTERM');
        server = await serveNow();
        expect(server.output()).toContain('nothing that is pending starts');
        expect(await json('restored', 'review')).toMatchObject({
          went_back: true,
          reason: expect.stringContaining(`has head ${known}`),
          requests: [
            {
              subject_request_id: id,
              controller_id: 'acme',
              was: 'cancelled',
              request_status: 'pending',
              confirming: 'cancels it again',
            },
          ],
        });
        expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
        expect(await statusOf(id)).toBe('cancelled');
        await untilErasingAgain();
        expect(rowsOf('acme', email)).toBe(1);

        await server.kill('SIGTERM');
        server = await serveNow();
        expect(server.output()).not.toContain('went back');
        expect(await json('restored', 'review')).toMatchObject({ went_back: false });
        expect((await unwrite('audit', 'verify')).exitCode).toBe(0);
        await server.kill('SIGTERM');
      });

      if (!isLong) return;

      it.each([
        ['is empty', ''],
        ['is damaged', '{"head_no": 7, "ha'],
        ['has something else in it', '{"head_no": "7"}'],
      ])('starts nothing if the file of the head %s', async (_, text) => {
        const { id, email } = await loseCancellation();
        writeFileSync(headFile(), text);
        for (const name of readdirSync(dataDir())) {
          if (name.startsWith('cancelled-')) rmSync(`${dataDir()}/${name}`);
        }
        const server = await serveNow();
        await untilSwept();
        expect(await statusOf(id)).toBe('pending');
        expect(await json('restored', 'review')).toMatchObject({
          reason: expect.stringContaining('audit-head.json'),
          requests: [],
        });
        await cancel('acme', id);
        expect(await json('restored', 'confirm')).toEqual({ cancelled: 0 });
        await untilErasingAgain();
        expect(rowsOf('acme', email)).toBe(1);
        await server.kill('SIGTERM');
      });

      it('starts nothing after an operator has said that the whole folder was restored', async () => {
        const { id, email } = await loseCancellation(async () => {
          const backup = `${shop.folder()}/data-backup`;
          // Elsewhere: the export is made before anything is lost.
          const { stdout } = await unwrite('audit', 'export');
          writeFileSync(`${shop.folder()}/export.jsonl`, stdout);
          await restoreStore(shop);
          rmSync(dataDir(), { recursive: true });
          cpSync(backup, dataDir(), { recursive: true });
        });
        expect(await json('restored', 'declare')).toEqual({ went_back: true });
        const server = await serveNow();
        await untilSwept();
        expect(await statusOf(id)).toBe('pending');
        const file = `${shop.folder()}/export.jsonl`;
        expect(await json('restored', 'review', '--file', file)).toMatchObject({
          detected_by: expect.stringContaining('operator:'),
          requests: [{ subject_request_id: id, was: 'cancelled', known_from: file }],
        });
        expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
        await untilErasingAgain();
        expect(rowsOf('acme', email)).toBe(1);
        await server.kill('SIGTERM');
      });
    },
  );
}
