import { expect, it } from 'vitest';
import { explainPostgres } from '../../../src/cli/shared/explain-postgres.ts';
import type { Config } from '../../../src/config/config.ts';
import { StoreUnavailable } from '../../../src/domain/store/store-unavailable.ts';

it('a store that is a standby is called read-only, not out of reach', () => {
  const config = { store: 'postgres://unwrite@db.example.com/unwrite', storeSchema: 'unwrite' };
  const cause = Object.assign(new Error(), { code: '25006' });
  const explained = explainPostgres(config as Config, new StoreUnavailable('', { cause }));
  expect(explained).toContain('it is read-only, such as a standby; promote it');
  expect(explained).not.toContain('cannot be reached');
});
