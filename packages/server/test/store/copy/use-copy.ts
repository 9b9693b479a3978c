// A source with rows in every table, and as many targets as a test wants.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copyStore,
} from '../../../src/store/copy/copy-store.ts';
import { openSource } from '../../../src/store/copy/open-source.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { fillStore } from './fill-store.ts';

export class Cut extends Error {
  override readonly name = 'Cut';
}

export type CopyRequest = Partial<Pick<CopyOptions, 'fromScratch' | 'limits' | 'report'>>;

export function useCopy() {
  let folder: TemporaryFolder;
  const targets: FreshStoreDatabase[] = [];
  let copies = 0;
  const dataDir = () => join(folder.path, 'data');

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    await fillStore(dataDir());
  });
  afterEach(async () => {
    for (const target of targets.splice(0)) await target.close();
  });
  afterAll(() => folder.remove());

  return {
    dataDir,
    /** A source of one's own, to be changed: the same one in another folder. */
    sameElsewhere(): string {
      const path = join(folder.path, `copy-${++copies}`);
      cpSync(dataDir(), path, { recursive: true });
      return path;
    },
    async another(): Promise<string> {
      const path = join(folder.path, `other-${++copies}`);
      await fillStore(path);
      return path;
    },
    async freshTarget(): Promise<FreshStoreDatabase> {
      const target = await freshStoreDatabase();
      targets.push(target);
      return target;
    },
    async copy(
      database: Database,
      request: CopyRequest = {},
      from = dataDir(),
    ): Promise<CopyResult> {
      const source = openSource(from);
      try {
        return await copyStore(source, database, {
          fromScratch: false,
          clock: Date.now,
          report: () => undefined,
          ...request,
        });
      } finally {
        source.close();
      }
    },
  };
}

/** For `report`: ends the copy as soon as that is so. */
export function cutWhen(isSo: (progress: CopyProgress) => boolean) {
  return (progress: CopyProgress) => {
    if (isSo(progress)) throw new Cut(`${progress.step} ${progress.table}`);
  };
}

/** All rows are there, and none was compared yet. */
export const cutBeforeComparing = cutWhen(({ step }) => step === 'comparing');

export const differing = ({ tables }: CopyResult): string[] =>
  tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table);

export const rowsOf = ({ tables }: CopyResult): number =>
  tables.reduce((sum, { source }) => sum + source.rows, 0);
