import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addToKeyFile } from '../../../src/vault/change-key-file.ts';
import { readMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { json, unwrite, submit, untilTask, untilTasks, addRows, rowsOf } = shop;

interface ShownKey {
  readonly master_key: string;
  readonly state: string;
  readonly sealed: number;
  readonly retired_time: string | null;
  readonly destroyable_time: string | null;
}

const list = (): Promise<ShownKey[]> => json('keys', 'list');
const keyFile = () => `${shop.options().dataDir}/master.key`;

/** A request that waits for a person, with its identities sealed under the key of now. */
async function held(email: string): Promise<{ id: string; task: string }> {
  addRows('acme', email, 4);
  const id = await submit('acme', [['email', email]]);
  return { id, task: await untilTask(id, 'acme', 'held') };
}

async function releaseAndErase(email: string, { id, task }: { id: string; task: string }) {
  await json('task', 'release', task);
  await untilTasks(id, 'acme', 'erased');
  expect(rowsOf('acme', email)).toBe(0);
}

describe('unwrite keys rotate', () => {
  it('moves everything to a new key next to a running server, which continues to erase', async () => {
    const before = await held('anna@example.com');
    const [old] = await list();
    const rotated = await json('keys', 'rotate', '--as', 'olga');
    expect(rotated).toMatchObject({ done: true, retired: [{ master_key: old?.master_key }] });

    const keys = await list();
    expect(keys.map(({ state, sealed }) => [state, sealed > 0])).toEqual([
      ['retired', false],
      ['current', true],
    ]);
    expect(keys[1]?.master_key).toBe(rotated.master_key);
    const days = (Date.parse(keys[0]?.destroyable_time ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(35);
    expect(readMasterKeyFile(keyFile())).toHaveLength(2);

    await releaseAndErase('anna@example.com', before);
    addRows('acme', 'bert@example.com', 1);
    await untilTasks(await submit('acme', [['email', 'bert@example.com']]), 'acme', 'erased');
    expect((await list())[0]?.sealed).toBe(0);
  });

  it('does so without a server, too', async () => {
    const before = await held('carl@example.com');
    await shop.server().kill('SIGTERM');
    const { stdout, exitCode } = await unwrite('keys', 'rotate');
    expect([stdout, exitCode]).toEqual([
      expect.stringContaining('Everything is sealed with it.'),
      0,
    ]);
    expect((await list()).map(({ state }) => state)).toEqual(['retired', 'retired', 'current']);
    await shop.serveAgain();
    await releaseAndErase('carl@example.com', before);
  });

  it('finishes a rotation that was cut off, and makes no further key', async () => {
    const before = await held('dora@example.com');
    // What is left by a process that dies right after it has changed the file.
    const id = addToKeyFile(keyFile());
    const content = readFileSync(keyFile(), 'utf8');
    const rotated = await json('keys', 'rotate');
    expect(rotated).toMatchObject({ master_key: id, done: true });
    expect(readFileSync(keyFile(), 'utf8')).toBe(content);
    expect((await list()).filter(({ sealed }) => sealed > 0)).toHaveLength(1);
    await releaseAndErase('dora@example.com', before);
  });
});

describe('unwrite keys destroy', () => {
  it('refuses a key that is current, unknown, or needed by backups', async () => {
    const keys = await list();
    const [retired, current] = [keys[0]?.master_key ?? '', keys.at(-1)?.master_key ?? ''];
    for (const [id, message] of [
      [current, 'is the current master key; "unwrite keys rotate" first'],
      ['0123456789abcdef', 'there is no master key 0123456789abcdef'],
      [retired, /backups made before .* can only be decrypted with .* \(retention.backups\)/],
    ] as const) {
      const { exitCode, stderr } = await unwrite('keys', 'destroy', id);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(message);
    }
  });

  it('is not offered by the list for a key whose retirement time someone else has set', async () => {
    const [retired] = await list();
    const id = retired?.master_key ?? '';
    expect(retired?.state).toBe('retired');
    await shop.inStore(`UPDATE master_keys SET retired_time = 1 WHERE master_key_id = '${id}'`);
    expect((await list())[0]).toEqual(retired);
    const time = Date.parse(retired?.retired_time ?? '');
    await shop.inStore(
      `UPDATE master_keys SET retired_time = ${time} WHERE master_key_id = '${id}'`,
    );
  });

  it('takes a key out of the file, and nothing that is left needs it', async () => {
    const before = await held('emil@example.com');
    const [retired] = await list();
    const id = retired?.master_key ?? '';
    const { exitCode } = await unwrite('keys', 'destroy', id, '--force', '--as', 'olga');
    expect(exitCode).toBe(0);
    expect(await list()).toContainEqual(
      expect.objectContaining({ master_key: id, state: 'destroyed' }),
    );
    expect(readMasterKeyFile(keyFile())).toHaveLength(3);
    const { stderr } = await unwrite('keys', 'destroy', id);
    expect(stderr).toContain('is destroyed already');
    await shop.server().kill('SIGTERM');
    await shop.serveAgain();
    await releaseAndErase('emil@example.com', before);
  });
});
