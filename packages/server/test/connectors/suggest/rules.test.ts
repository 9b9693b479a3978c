// What a first plan makes of single peculiarities of a database.
import { expect, it } from 'vitest';
import { onEverySqlDatabase } from '../sql/use-sql-target.ts';
import { suggestFor } from './suggested.ts';

await onEverySqlDatabase('a first plan', ({ query, database, connector }) => {
  async function suggest(...statements: string[]) {
    for (const statement of statements) await query(statement);
    return suggestFor(database());
  }
  const CUSTOMERS = 'CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90))';

  it('says so where there is nothing to go by', async () => {
    const { target, text } = await suggest('CREATE TABLE colours (id integer PRIMARY KEY)');
    expect(target.tables).toEqual([]);
    expect(text).toContain('Name the tables yourself');
  });

  it('treats rows that a person refers to as shared', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE addresses (id integer PRIMARY KEY, street varchar(90), city varchar(90))',
      `CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90),
         address_id integer REFERENCES addresses (id))`,
    );
    expect(target.tables).toEqual([
      { table: 'customers', match: { email: 'email' } },
      { table: 'addresses', via: { customers: { id: 'address_id' } }, shared: 'hold' },
    ]);
    expect(commentsOn('addresses')).toContain('several people may refer to one row');
  });

  it('sets a column that names who acted to NULL, and keeps the row', async () => {
    const { target } = await suggest(
      `CREATE TABLE employees (id integer PRIMARY KEY, email varchar(90),
         manager_id integer REFERENCES employees (id))`,
      `CREATE TABLE coupons (id integer PRIMARY KEY, code varchar(9),
         issued_by integer REFERENCES employees (id))`,
      `CREATE TABLE tickets (id integer PRIMARY KEY, title varchar(9),
         assignee_id integer REFERENCES employees (id) ON DELETE SET NULL)`,
    );
    expect(target.detach).toEqual(['employees.manager_id', 'tickets.assignee_id']);
    expect(target.tables).toEqual([
      {
        table: 'coupons',
        via: { employees: { issued_by: 'id' } },
        action: { overwrite: { issued_by: null } },
      },
      { table: 'employees', match: { email: 'email' } },
    ]);
  });

  it('overwrites a person if a row that stays has a reference to them that cannot be NULL', async () => {
    const { target, commentsOn } = await suggest(
      `CREATE TABLE employees (id integer PRIMARY KEY, email varchar(90), name varchar(90) NOT NULL)`,
      `CREATE TABLE coupons (id integer PRIMARY KEY,
         issued_by integer NOT NULL REFERENCES employees (id))`,
    );
    expect(target.tables).toEqual([
      {
        table: 'employees',
        match: { email: 'email' },
        action: { overwrite: { email: null, name: 'erased' } },
      },
    ]);
    expect(commentsOn('employees')).toContain('since rows of coupons that stay refer to it');
  });

  it.runIf(connector !== 'mysql')(
    'writes values of their own into columns of partial unique indexes and of those on expressions',
    async () => {
      const { target } = await suggest(
        `CREATE TABLE employees (id integer PRIMARY KEY, email varchar(90), name varchar(90) NOT NULL,
           phone varchar(90) NOT NULL, is_active integer)`,
        'CREATE UNIQUE INDEX by_name ON employees (lower(name))',
        'CREATE UNIQUE INDEX by_phone ON employees (phone) WHERE is_active = 1',
        `CREATE TABLE coupons (id integer PRIMARY KEY,
           issued_by integer NOT NULL REFERENCES employees (id))`,
      );
      expect(target.tables[0]?.action).toEqual({
        overwrite: {
          email: null,
          name: { unique: 'erased-{random}' },
          phone: { unique: 'erased-{random}' },
        },
      });
    },
  );

  it('names the key of a table without a primary key, or says that it has none', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE visits (email varchar(90) NOT NULL, day integer NOT NULL, UNIQUE (email, day))',
      'CREATE TABLE clicks (email varchar(90), day integer)',
    );
    expect(target.tables).toEqual([
      { table: 'clicks', match: { email: 'email' } },
      { table: 'visits', key: ['email', 'day'], match: { email: 'email' } },
    ]);
    expect(commentsOn('clicks')).toContain('it has no primary key and no unique index');
    expect(commentsOn('visits')).not.toContain('no unique index');
  });

  it('offers to look up the identity that some tables lack', async () => {
    const { target, text, commentsOn } = await suggest(
      'CREATE TABLE people (no integer PRIMARY KEY, e_mail varchar(90), customer_number varchar(20))',
      'CREATE TABLE exports (id integer PRIMARY KEY, customer_id varchar(20))',
    );
    expect(target.tables).toContainEqual({
      table: 'people',
      match: { email: 'e_mail', controller_customer_id: 'customer_number' },
    });
    expect(commentsOn('exports')).toContain('exports by customer_id?');
    expect(text).toContain(
      '# resolve: { table: people, from: { email: e_mail }, to: { controller_customer_id: customer_number } }',
    );
  });

  it('does not treat a customer_id that refers to customers as an identity', async () => {
    const { target } = await suggest(
      CUSTOMERS,
      'CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer)',
    );
    expect(target.tables[0]).toEqual({
      table: 'orders',
      via: { customers: { customer_id: 'id' } },
    });
  });

  it('treats several addresses in a row as several people', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE mails (id integer PRIMARY KEY, from_email varchar(90), to_email varchar(90), email_sent integer)',
    );
    expect(target.tables).toEqual([
      { table: 'mails', match: { email: ['from_email', 'to_email'] }, shared: 'hold' },
    ]);
    expect(commentsOn('mails')).toContain("a row may be two people's");
  });

  it('does not erase what is below an organisation with an address', async () => {
    const { target, remarkOn } = await suggest(
      'CREATE TABLE companies (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE contacts (id integer PRIMARY KEY, company_id integer, email varchar(90))',
      'CREATE TABLE deals (id integer PRIMARY KEY, company_id integer)',
    );
    expect(target.tenant_column).toBe('company_id');
    expect(target.tables).toEqual([{ table: 'contacts', match: { email: 'email' } }]);
    expect(remarkOn('companies')).toContain('everything below it would go with it');
    expect(remarkOn('deals')).toContain('no column looks like personal data');
  });

  it('does not delete an organisation that names its contact', async () => {
    const { target } = await suggest(
      'CREATE TABLE contacts (id integer PRIMARY KEY, company_id integer, email varchar(90))',
      `CREATE TABLE companies (id integer PRIMARY KEY, name varchar(90),
         main_contact_id integer REFERENCES contacts (id))`,
      'CREATE TABLE teams (id integer PRIMARY KEY, name varchar(90), contact_id integer)',
      'CREATE TABLE contact_groups (id integer PRIMARY KEY, contact_id integer)',
    );
    expect(target.tables.filter(({ action }) => action === undefined)).toEqual([
      { table: 'contact_groups', via: { contacts: { contact_id: 'id' } } },
      { table: 'contacts', match: { email: 'email' } },
    ]);
    expect(JSON.stringify(target.tables)).not.toContain('"teams"');
    expect([...(target.detach ?? []), ...target.tables.map(({ table }) => table)]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^companies/)]),
    );
  });

  it('treats a type as a kind if the id is the row’s own, or one table’s', async () => {
    const { target, commentsOn } = await suggest(
      CUSTOMERS,
      `CREATE TABLE comments (comment_id integer PRIMARY KEY, customer_id integer,
         comment_type varchar(20), customer_type varchar(20))`,
      `CREATE TABLE notes (id integer PRIMARY KEY, customer_id integer REFERENCES customers (id),
         customer_type varchar(20), notable_type varchar(20), notable_id integer)`,
    );
    expect(target.tables.slice(0, 2)).toEqual([
      { table: 'notes', via: { customers: { customer_id: 'id' } } },
      { table: 'comments', via: { customers: { customer_id: 'id' } } },
    ]);
    expect(commentsOn('comments')).not.toContain('says which table');
    expect(commentsOn('notes')).toContain('notable_type says which table');
    expect(commentsOn('notes')).not.toContain('customer_type says which table');
  });

  it('treats accounts as people if there are no others', async () => {
    const { target } = await suggest(
      'CREATE TABLE accounts (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE logins (id integer PRIMARY KEY, account_id integer, ip varchar(90))',
      'CREATE TABLE badges (id integer PRIMARY KEY, account_id integer)',
    );
    expect(target).not.toHaveProperty('tenant_column');
    expect(target.tables).toEqual([
      { table: 'badges', via: { accounts: { account_id: 'id' } } },
      { table: 'logins', via: { accounts: { account_id: 'id' } } },
      { table: 'accounts', match: { email: 'email' } },
    ]);
  });

  it('lists tables that look personal, and that nothing leads to', async () => {
    const { remarkOn } = await suggest(
      CUSTOMERS,
      'CREATE TABLE leads (id integer PRIMARY KEY, phone varchar(20), full_name varchar(90))',
    );
    expect(remarkOn('leads')).toContain('has phone, full_name, but no way from an identity');
  });

  it('says where tables refer to each other', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90), address_id integer)',
      `CREATE TABLE addresses (id integer PRIMARY KEY, street varchar(90),
         user_id integer NOT NULL REFERENCES users (id))`,
      ...(connector === 'sqlite'
        ? []
        : ['ALTER TABLE users ADD FOREIGN KEY (address_id) REFERENCES addresses (id)']),
    );
    expect(target.tables).toEqual([
      { table: 'addresses', via: { users: { user_id: 'id' } } },
      { table: 'users', match: { email: 'email' } },
    ]);
    if (connector !== 'sqlite')
      expect(commentsOn('addresses')).toContain('no order fits all of them');
  });

  it('mentions triggers, and quotes names that YAML would misread', async () => {
    const quoted = connector === 'mysql' ? '`e-mail`' : '"e-mail"';
    const trigger = {
      sqlite: ['CREATE TRIGGER keep AFTER DELETE ON customers BEGIN SELECT 1; END'],
      mysql: ['CREATE TRIGGER keep AFTER DELETE ON customers FOR EACH ROW SET @gone = 1'],
      postgres: [
        'CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
        'CREATE TRIGGER keep AFTER DELETE ON customers EXECUTE FUNCTION keep()',
      ],
    }[connector];
    const { target, text } = await suggest(
      `CREATE TABLE customers (id integer PRIMARY KEY, ${quoted} varchar(90))`,
      ...trigger,
    );
    expect(text).toContain('# triggers: [keep]');
    expect(target.tables).toEqual([{ table: 'customers', match: { email: 'e-mail' } }]);
  });

  it('names tables of other schemas, and a divided table once', async () => {
    if (connector !== 'postgres') return;
    const { target } = await suggest(
      'CREATE SCHEMA billing',
      CUSTOMERS,
      `CREATE TABLE billing.letters (id integer PRIMARY KEY, email varchar(90),
         customer_id integer REFERENCES customers (id))`,
      'CREATE TABLE mails (id integer, email varchar(90), PRIMARY KEY (id)) PARTITION BY HASH (id)',
      'CREATE TABLE mails_0 PARTITION OF mails FOR VALUES WITH (MODULUS 1, REMAINDER 0)',
    );
    expect(target.tables.map(({ table }) => table)).toEqual([
      'billing.letters',
      'customers',
      'mails',
    ]);
  });

  it('does not treat a table that connects users with something as the users', async () => {
    const { target } = await suggest(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE topic_users (id integer PRIMARY KEY, topic_id integer, user_id integer)',
      'CREATE TABLE topic_allowed_users (id integer PRIMARY KEY, user_id integer)',
    );
    expect(target.tables).toEqual([
      { table: 'topic_allowed_users', via: { users: { user_id: 'id' } } },
      { table: 'topic_users', via: { users: { user_id: 'id' } } },
      { table: 'users', match: { email: 'email' } },
    ]);
  });

  it('does not treat the person’s own account as a tenant', async () => {
    const { target } = await suggest(
      'CREATE TABLE accounts (id integer PRIMARY KEY, username varchar(90), display_name varchar(90))',
      'CREATE TABLE users (id integer PRIMARY KEY, account_id integer, email varchar(90))',
      'CREATE TABLE statuses (id integer PRIMARY KEY, account_id integer)',
    );
    expect(target).not.toHaveProperty('tenant_column');
  });

  it('does not delete what a person created, owns in a role, or was assigned to', async () => {
    const names = ['creator_id', 'create_uid', 'created_by', 'owner_id', 'assigned_user_id'];
    const { target } = await suggest(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))',
      ...names.map(
        (name, at) => `CREATE TABLE things${at} (id integer PRIMARY KEY, ${name} integer,
          FOREIGN KEY (${name}) REFERENCES users (id) ON DELETE SET NULL)`,
      ),
    );
    expect(target.detach).toEqual(names.map((name, at) => `things${at}.${name}`));
    expect(target.tables).toEqual([{ table: 'users', match: { email: 'email' } }]);
  });

  it('follows a column that is called like the key of another table', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE ps_customer (id_customer integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE ps_cart (id_cart integer PRIMARY KEY, id_customer integer)',
      'CREATE TABLE ps_cart_product (id_cart integer, id_product integer, PRIMARY KEY (id_cart, id_product))',
    );
    expect(target.tables).toEqual([
      { table: 'ps_cart_product', via: { ps_cart: { id_cart: 'id_cart' } } },
      { table: 'ps_cart', via: { ps_customer: { id_customer: 'id_customer' } } },
      { table: 'ps_customer', match: { email: 'email' } },
    ]);
    expect(commentsOn('ps_cart')).toContain('by its name; no foreign key says so');
  });

  it('keeps rows that are referred to in several ways while somebody else refers to them', async () => {
    const { target } = await suggest(
      'CREATE TABLE addresses (id integer PRIMARY KEY, street varchar(90), city varchar(90))',
      `CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90),
         billing_id integer REFERENCES addresses (id), shipping_id integer REFERENCES addresses (id))`,
    );
    expect(target.tables.at(-1)).toEqual({
      table: 'addresses',
      // SQLite lists the keys in another order.
      via: {
        customers: expect.toSatisfy(
          (list: { id: string }[]) =>
            list
              .map(({ id }) => id)
              .toSorted()
              .join() === 'billing_id,shipping_id',
        ),
      },
      shared: 'keep',
    });
  });
});
