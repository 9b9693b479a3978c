// What is left of a person for somebody who has the disk.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import type { SealedBytes } from '../../src/domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import { useShop } from '../cli/use-shop.ts';
import { createFindLeaks } from '../helpers/find-leaks.ts';
import { watchLeaks } from '../helpers/watch-leaks.ts';

const shop = useShop({ retention: { identities: '0s' }, log_level: 'trace' });
const { json, folder, submit, untilTask, untilTasks, addRows } = shop;
const MARK = 'Qx7forensicMark42zz';
const EMAIL = `${MARK}@example.com`;
const findLeaks = createFindLeaks([MARK]);

const dataDir = () => shop.options().dataDir;
const storeFiles = (dir = dataDir()) =>
  readdirSync(dir).filter((name) => name.startsWith('unwrite.db'));
const bytesOfStore = () => storeFiles().map((name) => readFileSync(join(dataDir(), name)));

/** Wherever Unwrite itself leaves bytes; the shop is the controller's own. */
const leaks = () => [
  ...readdirSync(dataDir()).flatMap((name) => findLeaks(name, readFileSync(join(dataDir(), name)))),
  ...findLeaks('the log', shop.server().output()),
];

function sealedIn(dir: string): SealedBytes {
  const database = new DatabaseSync(join(dir, 'unwrite.db'), { readOnly: true });
  const row = database
    .prepare(
      'SELECT master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed FROM sealed_identities',
    )
    .get() as unknown as SealedBytes;
  database.close();
  return row;
}

/** As somebody who found an old copy of the store would, with the keys that are there now. */
function openRemains(id: string): string | undefined {
  const ring = createMasterKeyRing(readMasterKeyFile(join(dataDir(), 'master.key')));
  const request = {
    controllerId: 'acme' as ControllerId,
    subjectRequestId: id as SubjectRequestId,
  };
  return createIdentityVault(ring).open(request, sealedIn(remains()))[0]?.reveal();
}

const remains = () => join(folder(), 'remains');

describe('a person whose request is completed', () => {
  it('is gone from the disk within seconds, and from old copies with the master key', async () => {
    const watch = watchLeaks(dataDir(), findLeaks);
    addRows('acme', EMAIL, 4);
    const id = await submit('acme', [['email', EMAIL]]);
    const task = await untilTask(id, 'acme', 'held');
    expect(leaks()).toEqual([]);
    mkdirSync(remains());
    for (const name of storeFiles()) copyFileSync(join(dataDir(), name), join(remains(), name));
    const { wrappedKey, sealed } = sealedIn(dataDir());
    const isThere = (bytes: Uint8Array) => bytesOfStore().some((file) => file.includes(bytes));
    expect([isThere(wrappedKey), isThere(sealed)]).toEqual([true, true]);

    await json('task', 'release', task);
    await untilTasks(id, 'acme', 'erased');
    await expect
      .poll(() => [isThere(wrappedKey), isThere(sealed)], { timeout: 15_000 })
      .toEqual([false, false]);
    expect(await shop.audited(id, 'acme', 'request.shredded')).toHaveLength(1);
    expect(leaks()).toEqual([]);

    expect(openRemains(id)).toBe(EMAIL);
    const { retired } = await json('keys', 'rotate');
    expect(openRemains(id)).toBe(EMAIL);
    await json('keys', 'destroy', retired[0].master_key, '--force');
    expect(() => openRemains(id)).toThrow(/is not available/);
    const asked = ['seen', '--controller', 'acme', '--email', '-', '--json'];
    const { stdout } = await shop.unwriteReading(`${EMAIL}\n`, ...asked);
    expect(JSON.parse(stdout)).toMatchObject({ erased: true });
    const { leaks: atAnyMoment, looks } = await watch.stop();
    expect([...atAnyMoment, ...leaks()]).toEqual([]);
    expect(looks).toBeGreaterThan(20);
  });

  it('cannot be erased again, and erase-again says so', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const counts = await json('erase-again', '--target', 'shop', '--since', today);
    expect(counts).toMatchObject({ runs: 0, shredded: 1 });
    const { stdout } = await shop.unwrite('erase-again', '--target', 'shop', '--since', today);
    expect(stdout).toContain('1 request cannot be erased again: the identities are shredded');
  });
});
