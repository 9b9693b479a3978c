// To run: copy into packages/server/test/connectors/sql/.
// Found ("able"): child and parent both have the tenant column, the reference is along an email that is
// unique nowhere. The tenant is compared in `via`, so an acme letter is tied to acme's Jane only; but
// decide-shared.ts reads the parents of its value without the tenant (read-parents.ts), finds globex's Jane,
// and holds every such request as tenant_mismatch, also with `shared: erase`.
import { expect, it } from 'vitest';
import { aTable } from '../sql-target.ts';
import { eraseWhole, JANE, onEverySqlDatabase, via } from '../use-sql-target.ts';

await onEverySqlDatabase('two tenants that know one email', ({ query, open, ids }) => {
  it('have the rows of their own tenant column, which is compared in a reference too', async () => {
    await query(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200));
      CREATE TABLE letters (id INTEGER PRIMARY KEY, tenant VARCHAR(40), mail VARCHAR(200));
      INSERT INTO customers VALUES (1, 'acme', '${JANE}'), (2, 'globex', '${JANE}');
      INSERT INTO letters VALUES (11, 'acme', '${JANE}'), (12, 'globex', '${JANE}')`);
    const letters = aTable('letters', { via: [via('customers', { mail: 'email' })] });
    const customers = aTable('customers', { match: { email: 'email' } });
    const { erasures } = await eraseWhole(
      open([letters, customers], { tenancy: { way: 'column', column: 'tenant', values: {} } }),
    );
    expect(erasures).toEqual([{ outcome: 'erased', counts: { customers: 1, letters: 1 } }]);
    expect(await ids('letters')).toEqual([12]);
    expect(await ids('customers')).toEqual([2]);
  });
});
