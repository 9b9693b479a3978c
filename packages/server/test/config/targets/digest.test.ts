import { describe, expect, it } from 'vitest';
import {
  httpTarget,
  sqlTarget,
  statementsTarget,
  TABLE,
  useWrittenTargets,
} from './written-targets.ts';

const { one, write } = useWrittenTargets();
const digest = (target: Record<string, unknown>) => one(target).digest;

describe('the digest of a target', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the database', { url: 'postgres://db.example/other' }],
    ['the server', { url: 'postgres://db2.example/shop' }],
    ['the search path', { url: 'postgres://db.example/shop?options=-csearch_path%3Dx' }],
    ['tenancy', { tenancy: null, controllers: ['acme'] }],
    ['a table', { tables: [{ ...TABLE, table: 'people' }] }],
    ['an action', { tables: [{ ...TABLE, action: { overwrite: { email: null } } }] }],
    ['cascades', { cascades: ['notes'] }],
    ['triggers', { triggers: ['log'] }],
    ['detach', { detach: ['orders.rival'] }],
    ['the mode', { mode: 'preview' }],
    ['the cap', { max_rows_per_subject: 5 }],
    [
      'resolve',
      { resolve: { table: 't', from: { email: 'a' }, to: { controller_customer_id: 'b' } } },
    ],
  ])('changes with %s', (_, fields) => {
    expect(digest(sqlTarget(fields))).not.toBe(digest(sqlTarget()));
  });

  it("changes with hand-written SQL, an address, verification, and a module's content", () => {
    expect(digest(statementsTarget({ erase: 'DELETE FROM x WHERE m = :email' }))).not.toBe(
      digest(statementsTarget()),
    );
    expect(digest(httpTarget({ url: 'https://crm.example/other' }))).not.toBe(digest(httpTarget()));
    expect(digest(httpTarget({ verify: 'none' }))).not.toBe(digest(httpTarget()));
    write('own.ts', 'export default 1;');
    const before = digest({ connector: 'module', file: 'own.ts' });
    write('own.ts', 'export default 2;');
    expect(digest({ connector: 'module', file: 'own.ts' })).not.toBe(before);
  });

  it('does not change with the order of names', () => {
    const { connector, ...others } = sqlTarget();
    expect(digest({ ...others, connector })).toBe(digest(sqlTarget()));
  });

  it('has nothing of secrets, and nothing that only decides when', () => {
    expect(digest(sqlTarget({ url: 'postgres://other:secret@db.example/shop?password=x' }))).toBe(
      digest(sqlTarget()),
    );
    const others = { batch_size: 3, hours: '01:00-02:00 UTC', lock_timeout: '9s' };
    expect(digest(sqlTarget(others))).toBe(digest(sqlTarget()));
    const secrets = [
      { bearer: 'a' },
      { hmac: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      { basic: { username: 'a', password: 'b' } },
    ];
    for (const secret of secrets) expect(digest(httpTarget(secret))).toBe(digest(httpTarget()));
    write('own.ts', '');
    const module = (root: string) => ({ connector: 'module', file: 'own.ts', options: { root } });
    expect(digest(module('/a'))).toBe(digest(module('/b')));
  });
});
