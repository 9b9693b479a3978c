import { expect, it } from 'vitest';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), code int UNIQUE);
CREATE TABLE orders (id int NOT NULL PRIMARY KEY, customer int, CONSTRAINT orders_fk FOREIGN KEY (customer) REFERENCES customers (id) ON DELETE CASCADE);
CREATE TABLE order_lines (id int NOT NULL PRIMARY KEY, order_id int, CONSTRAINT lines_fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE);
CREATE TABLE reviews (id int NOT NULL PRIMARY KEY, order_id int, CONSTRAINT reviews_fk FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE SET NULL);
CREATE TABLE people (id int NOT NULL PRIMARY KEY, email varchar(190));
CREATE TABLE senders (id int NOT NULL PRIMARY KEY, email varchar(190));
CREATE TABLE letters (id int NOT NULL PRIMARY KEY, sender int, recipient_email varchar(190), CONSTRAINT letters_fk FOREIGN KEY (sender) REFERENCES senders (id) ON DELETE CASCADE);
CREATE TABLE stamps (id int NOT NULL PRIMARY KEY, letter int, CONSTRAINT stamps_fk FOREIGN KEY (letter) REFERENCES letters (id) ON DELETE CASCADE);
CREATE TABLE invoices (id int NOT NULL PRIMARY KEY, person int, CONSTRAINT invoices_fk FOREIGN KEY (person) REFERENCES people (id));
CREATE TABLE cards (id int, code int, CONSTRAINT cards_fk FOREIGN KEY (code) REFERENCES customers (code) ON UPDATE CASCADE)`;

await onEachDatabase('the check of foreign keys', TABLES, ({ check }) => {
  const of = async (...list: Parameters<typeof tables>) =>
    written(await check({ work: tables(...list) }), 'note', 'problem').concat(
      written(await check({ work: tables(...list) }), 'warning').filter((line) =>
        line.includes('foreign key'),
      ),
    );
  const about = (lines: readonly string[], name: string) =>
    lines.filter((line) => line.includes(` ${name}: `));

  it('names every table that a cascade would reach, however far, in one list', async () => {
    const lines = await of([table('customers')]);
    expect(lines.filter((line) => line.startsWith('problem'))).toEqual([
      'problem cascades: deleting also deletes or changes rows of tables that the plan does not name: orders (with customers), order_lines (with orders); if that is meant, put those with data of the person into "tables", and list the others: cascades: [orders, order_lines]',
      expect.stringMatching(
        /^problem reviews: deleting from orders also changes rows of .*SET NULL/,
      ),
    ]);
  });

  it('does not offer to list what the check then refuses: tables that look personal', async () => {
    const lines = await of([table('senders')]);
    expect(lines.filter((line) => line.startsWith('problem'))).toEqual([
      'problem cascades: deleting also deletes or changes rows of tables that the plan does not name: letters (with senders), stamps (with letters); give those that look personal an entry in "tables" (letters), or list them too and "ignore" them with a reason; if that is meant, put those with data of the person into "tables", and list the others: cascades: [stamps]',
    ]);
    expect(about(await of([table('senders')], { cascades: ['stamps'] }), 'letters')).toEqual([
      expect.stringMatching(
        /which the plan does not name; it looks personal: give it an entry in "tables"/,
      ),
    ]);
  });

  it('says of a single one which foreign key does it', async () => {
    const lines = await of([table('customers')], { cascades: ['order_lines', 'reviews'] });
    expect(about(lines, 'orders')).toEqual([
      expect.stringMatching(
        /^problem orders: deleting from customers also deletes rows of orders \(foreign key .*, ON DELETE CASCADE\), which the plan does not name; if that is meant, list it: cascades: \[order_lines, reviews, orders\]$/,
      ),
    ]);
  });

  it('does not want a table under "cascades" that is only read', async () => {
    const leads = [{ table: 'orders', tenantColumn: null }];
    const work = { ...tables([table('customers')]), leads };
    const lines = written(await check({ work }), 'problem');
    expect(lines).toEqual([
      expect.stringMatching(
        /^problem orders: deleting from customers also changes its rows by a foreign key, and the plan only reads them/,
      ),
    ]);
  });

  it('accepts what is listed or erased', async () => {
    const lines = await of(
      [
        table('order_lines', via('orders', { order_id: 'id' })),
        table('orders', via('customers', { customer: 'id' })),
        table('customers'),
      ],
      { cascades: ['reviews'] },
    );
    expect(lines.filter((line) => line.startsWith('problem'))).toEqual([]);
    const listed = await of([table('customers')], {
      cascades: ['orders', 'order_lines', 'reviews'],
    });
    expect(listed.filter((line) => line.startsWith('problem'))).toEqual([]);
  });

  it('refuses a cascade into what the plan retains, even if it is listed', async () => {
    const retained = table('orders', {
      ...via('customers', { customer: 'id' }),
      action: { kind: 'retain', reason: 'tax law' },
    });
    const lines = await of([retained, table('customers')], {
      cascades: ['orders', 'order_lines', 'reviews'],
    });
    expect(lines).toContainEqual(
      expect.stringMatching(/^problem orders: deleting from customers .*, which the plan retains;/),
    );
  });

  it('warns of rows that a key would keep from being deleted', async () => {
    expect(await of([table('people')])).toEqual([
      expect.stringMatching(
        /^warning people: invoices, which the plan does not name, refers to it \(foreign key .*\): .* delete from invoices too, before people$/,
      ),
    ]);
  });

  it('wants children before their parents', async () => {
    const child = table('invoices', via('people', { person: 'id' }));
    expect(await of([child, table('people')])).toEqual([]);
    expect(await of([table('people'), child])).toEqual([
      expect.stringMatching(
        /^problem invoices: refers to people .* put it before people in "tables"$/,
      ),
    ]);
  });

  it('follows a key that an overwritten column takes along', async () => {
    const overwritten = table('customers', {
      action: { kind: 'overwrite', columns: { code: { kind: 'null' } } },
    });
    expect(about(await of([overwritten]), 'cards')).toEqual([
      expect.stringMatching(/^problem cards: overwriting customers also changes rows of cards/),
    ]);
    expect(about(await of([overwritten], { cascades: ['cards'] }), 'cards')).toEqual([]);
  });

  it('notes entries that can go', async () => {
    expect(await of([table('people')], { cascades: ['orders'], triggers: ['gone'] })).toEqual(
      expect.arrayContaining([
        'note orders: is listed under "cascades", but no foreign key reaches it; remove the entry',
        'note gone: is listed under "triggers", but no table of the plan has it; remove the entry',
      ]),
    );
  });
});
