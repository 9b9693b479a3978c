import type { Database } from '../../../src/store/sql.ts';

/** The same database; before each of its transactions, something else happens. */
export function slowed(database: Database, meanwhile: () => Promise<void>): Database {
  const wait = (one: Database): Database =>
    new Proxy(one, {
      get(on, name) {
        if (name === 'unprepared') return wait(on.unprepared);
        if (name !== 'transaction') return Reflect.get(on, name);
        return async (work: Parameters<Database['transaction']>[0]) => {
          await meanwhile();
          return on.transaction(work);
        };
      },
    });
  return wait(database);
}
