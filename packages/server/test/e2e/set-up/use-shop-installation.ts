// A shop, and an installation that erases from it, for each test of the block that this is called in.
import { afterEach, beforeEach } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { makeInstallation, type TestInstallation } from './installation.ts';
import { CONTROLLERS, emailOf, fillShop, type ShopSize } from './shop.ts';
import { type DatabaseKind, type ShopDatabase, SQLITE } from './shop-database.ts';

const PATIENCE = 60_000;

export const ACME = CONTROLLERS[0];

/** Few enough for tests that are about something else than their number. */
export const SMALL: ShopSize = { customers: 20, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };

export function useShopInstallation(
  size: ShopSize = SMALL,
  kind: DatabaseKind = SQLITE,
  make: typeof makeInstallation = makeInstallation,
) {
  let folder: TemporaryFolder;
  let shop: ShopDatabase;
  let unwrite: TestInstallation | undefined;
  const closings: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    shop = await kind.open(folder.path);
    await fillShop(kind, shop, size);
  });
  afterEach(async () => {
    await unwrite?.kill('SIGTERM');
    unwrite = undefined;
    for (const close of closings.splice(0)) await close();
    await shop.close();
    folder.remove();
  }, PATIENCE);

  const configOf = (targets: string, settings: string) =>
    `cancellation_window: 0s\n${settings}\ntargets:\n${targets}`;

  function installed(): TestInstallation {
    if (unwrite === undefined) throw new Error('nothing is installed');
    return unwrite;
  }

  return {
    folder: () => folder.path,
    get shop() {
      return shop;
    },
    get unwrite() {
      return installed();
    },
    /** The last one given is closed first, when the server has stopped. */
    closeAfter: (close: () => Promise<void>) => closings.unshift(close),

    async install(targets: string, settings = ''): Promise<void> {
      unwrite = await make(folder.path, configOf(targets, settings));
      await unwrite.start();
    },

    async restartWith(targets: string, settings = ''): Promise<number | null> {
      const code = await installed().kill('SIGTERM');
      installed().configure(configOf(targets, settings));
      await installed().start();
      return code;
    },

    submit: (customer: number) => installed().submit(ACME, [['email', emailOf(customer)]]),

    countErased: async (...of: string[]): Promise<number> =>
      (await installed().command('task', 'list', '--state', 'erased', ...of)).length,
  };
}
