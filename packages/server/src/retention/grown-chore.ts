import type { Chore } from '../domain/chore.ts';
import type { GrownTables } from '../domain/store/store.ts';

const LOOK_MS = 2000;

/** Refreshes the store's statistics after tables have grown. */
export function createGrownChore(tables: GrownTables): Chore {
  let looked = 0;
  return {
    name: 'analysing grown tables',
    async isDue(now) {
      if (now - looked < LOOK_MS) return false;
      looked = now;
      return tables.areThere();
    },
    run: () => tables.countAgain(),
  };
}
