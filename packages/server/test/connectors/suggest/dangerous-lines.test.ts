// A first plan deletes no row of somebody else without a mark: what is doubtful has a "?", or is left out.
import { expect, it } from 'vitest';
import { onEverySqlDatabase } from '../sql/use-sql-target.ts';
import { checkEdited, suggestFor } from './suggested.ts';

await onEverySqlDatabase('a first plan', ({ query, database, connector }) => {
  async function suggest(...statements: string[]) {
    for (const statement of statements) await query(statement);
    return suggestFor(database());
  }
  const tablesOf = (target: { tables: readonly Record<string, unknown>[] }) =>
    target.tables.map(({ table }) => table);
  const USERS = 'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))';
  const numbered = {
    postgres: 'integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    mysql: 'integer AUTO_INCREMENT PRIMARY KEY',
    sqlite: 'integer PRIMARY KEY AUTOINCREMENT',
  }[connector];

  it('does not treat the address of a newsletter or a warehouse as a person', async () => {
    const { target, remarkOn } = await suggest(
      'CREATE TABLE members (id integer PRIMARY KEY, email varchar(90), name varchar(90))',
      `CREATE TABLE newsletters (id integer PRIMARY KEY, name varchar(90), sender_email varchar(90))`,
      `CREATE TABLE posts (id integer PRIMARY KEY, title varchar(90),
         newsletter_id integer NOT NULL REFERENCES newsletters (id))`,
      'CREATE TABLE warehouses (id integer PRIMARY KEY, email varchar(90), phone varchar(90))',
      `CREATE TABLE stock (id integer PRIMARY KEY,
         warehouse_id integer NOT NULL REFERENCES warehouses (id))`,
    );
    expect(target.tables).toEqual([{ table: 'members', match: { email: 'email' } }]);
    expect(remarkOn('newsletters')).toContain('seems to be a thing, not a person');
    expect(remarkOn('warehouses')).toContain('everything below it would go with it');
    expect(remarkOn('posts')).toContain('not in the plan: newsletters by newsletter_id');
  });

  it('marks an address without a sign of a person, and everything that belongs to it', async () => {
    const { target, certain, text, commentsOn } = await suggest(
      USERS,
      'CREATE TABLE depots (id integer PRIMARY KEY, email varchar(90), phone varchar(90))',
      `CREATE TABLE shelves (id integer PRIMARY KEY, depot_id integer NOT NULL,
         FOREIGN KEY (depot_id) REFERENCES depots (id) ON DELETE CASCADE)`,
      `CREATE TABLE boxes (id integer PRIMARY KEY, shelf_id integer NOT NULL,
         FOREIGN KEY (shelf_id) REFERENCES shelves (id) ON DELETE CASCADE)`,
      'CREATE TABLE mailings (id integer PRIMARY KEY, reply_to_email varchar(90))',
    );
    expect(tablesOf(target)).toEqual(['boxes', 'shelves', 'users', 'depots', 'mailings']);
    expect(certain).toEqual(['users']);
    expect(text).toContain('      # belongs to its depots\n      #1 - table: shelves\n');
    expect(commentsOn('depots')).toContain("# ? 1. depots: is email a person's address");
    expect(commentsOn('depots')).toContain('with it: boxes, shelves');
    expect(commentsOn('mailings')).toContain(
      '# ? 2. mailings: reply_to_email may be what the application sends',
    );
    expect(commentsOn('users')).not.toContain("a person's address");
  });

  it('does not treat the number of a row as a reference', async () => {
    const { target, remarkOn } = await suggest(
      `CREATE TABLE customer_entity (entity_id ${numbered}, email varchar(90))`,
      `CREATE TABLE sales_order (entity_id ${numbered}, customer_id integer NOT NULL,
         FOREIGN KEY (customer_id) REFERENCES customer_entity (entity_id))`,
      `CREATE TABLE order_comments (entity_id ${numbered}, parent_id integer NOT NULL,
         FOREIGN KEY (parent_id) REFERENCES sales_order (entity_id))`,
      `CREATE TABLE review (review_id ${numbered}, entity_id integer)`,
    );
    expect(target.tables).toEqual([
      { table: 'order_comments', via: { sales_order: { parent_id: 'entity_id' } } },
      { table: 'sales_order', via: { customer_entity: { customer_id: 'entity_id' } } },
      { table: 'customer_entity', match: { email: 'email' } },
    ]);
    expect(remarkOn('review')).toContain('entity_id could not be matched with one table');
  });

  it('never refers by a number that the database gives, whatever its name', async () => {
    const { target } = await suggest(
      USERS,
      `CREATE TABLE counters (user_id ${numbered}, label varchar(90))`,
      'CREATE TABLE user_profiles (user_id integer PRIMARY KEY, bio varchar(90))',
    );
    expect(tablesOf(target)).toEqual(['user_profiles', 'users']);
  });

  it('does not refer to a key that is an identity, or is called after nothing', async () => {
    const { target } = await suggest(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90), token varchar(90))',
      'CREATE TABLE password_reset_tokens (email varchar(90) PRIMARY KEY, token varchar(90))',
      'CREATE TABLE sessions (token varchar(90) PRIMARY KEY, user_id integer)',
      `CREATE TABLE notes (id integer PRIMARY KEY, notable_type varchar(20), notable_id integer)`,
    );
    expect(target.tables).toEqual([
      { table: 'sessions', via: { users: { user_id: 'id' } } },
      { table: 'users', match: { email: 'email' } },
      { table: 'password_reset_tokens', match: { email: 'email' } },
    ]);
  });

  it('detaches what the application keeps without its author', async () => {
    const { target, remarkOn, commentsOn, text } = await suggest(
      USERS,
      `CREATE TABLE issues (id integer PRIMARY KEY, author_id integer,
         FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE SET NULL)`,
      `CREATE TABLE issue_links (id integer PRIMARY KEY,
         issue_id integer NOT NULL REFERENCES issues (id))`,
      `CREATE TABLE visits (id integer PRIMARY KEY, ip_address varchar(90), user_id integer,
         FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL)`,
    );
    expect(target.detach).toEqual(['issues.author_id']);
    expect(tablesOf(target)).toEqual(['visits', 'users']);
    expect(commentsOn('visits')).toContain('its foreign key lets the row outlive the row of users');
    expect(remarkOn('issues')).toContain('lets the row stay without it (ON DELETE SET NULL)');
    expect(text).toContain('#        via: { users: { author_id: id } }');
    expect(remarkOn('issue_links')).toContain('not in the plan: issues by issue_id');
  });

  it('marks a reference that may be NULL, and one in an uncertain role', async () => {
    const { commentsOn } = await suggest(
      USERS,
      'CREATE TABLE parcels (id integer PRIMARY KEY, user_id integer REFERENCES users (id))',
      'CREATE TABLE checks (id integer PRIMARY KEY, picker_id integer NOT NULL REFERENCES users (id))',
      `CREATE TABLE posts (id integer PRIMARY KEY, user_id integer NOT NULL,
         FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE)`,
      `CREATE TABLE files (id integer PRIMARY KEY, uploaded_by integer REFERENCES users (id),
         post_id integer NOT NULL REFERENCES posts (id))`,
    );
    expect(commentsOn('parcels')).toContain('parcels: user_id may be NULL: if the row is to stay');
    expect(commentsOn('checks')).toContain('checks: does picker_id say whose a row is');
    expect(commentsOn('posts')).not.toContain('?');
    expect(commentsOn('files')).toContain('uploaded_by may name another person');
  });

  it('marks what other people’s rows refer to', async () => {
    const ofUser = `user_id integer NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id)
      ON DELETE CASCADE`;
    const { commentsOn } = await suggest(
      USERS,
      `CREATE TABLE projects (id integer PRIMARY KEY, ${ofUser})`,
      `CREATE TABLE project_members (id integer PRIMARY KEY,
         project_id integer NOT NULL REFERENCES projects (id), ${ofUser})`,
      `CREATE TABLE tasks (id integer PRIMARY KEY,
         project_id integer NOT NULL REFERENCES projects (id))`,
    );
    expect(commentsOn('projects')).toContain(
      'projects: rows of project_members refer to it, and may be',
    );
    expect(commentsOn('projects')).toContain('with it: tasks');
  });

  it('marks histories, and what staff did for others', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE customer (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE employee (id integer PRIMARY KEY, email varchar(90))',
      `CREATE TABLE thread (id integer PRIMARY KEY,
         customer_id integer NOT NULL REFERENCES customer (id))`,
      `CREATE TABLE answer (id integer PRIMARY KEY,
         thread_id integer NOT NULL REFERENCES thread (id),
         employee_id integer NOT NULL REFERENCES employee (id))`,
      `CREATE TABLE state_history (id integer PRIMARY KEY,
         employee_id integer NOT NULL REFERENCES employee (id))`,
    );
    expect(target.tables).toContainEqual({ table: 'answer', via: { thread: { thread_id: 'id' } } });
    expect(commentsOn('answer')).toContain('also refers to employee by employee_id');
    expect(commentsOn('answer')).toContain('employee_id may name another person');
    expect(commentsOn('state_history')).toContain('a history:');
    expect(commentsOn('state_history')).toContain('employee may be staff');
  });

  it('does not treat customers as rows of the employee who looks after them', async () => {
    const { target } = await suggest(
      'CREATE TABLE employees (id integer PRIMARY KEY, email varchar(90))',
      `CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90),
         employee_id integer NOT NULL REFERENCES employees (id))`,
    );
    expect(target.tables).toContainEqual({ table: 'customers', match: { email: 'email' } });
  });

  it('keeps what has the columns of an invoice', async () => {
    const { target } = await suggest(
      USERS,
      `CREATE TABLE account_move (id integer PRIMARY KEY, invoice_date integer,
         user_id integer NOT NULL REFERENCES users (id))`,
      `CREATE TABLE bookings (id integer PRIMARY KEY, invoice_date integer, invoice_number integer,
         user_id integer NOT NULL REFERENCES users (id))`,
    );
    for (const table of ['account_move', 'bookings'])
      expect(target.tables).toContainEqual(
        expect.objectContaining({
          table,
          action: { retain: expect.stringContaining('the law') },
        }),
      );
  });

  it('detaches a row that is kept from one that goes', async () => {
    const { target, text } = await suggest(
      USERS,
      `CREATE TABLE carts (id integer PRIMARY KEY, user_id integer NOT NULL,
         FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE)`,
      `CREATE TABLE invoices (id integer PRIMARY KEY, phone varchar(90), cart_id integer,
         user_id integer NOT NULL REFERENCES users (id),
         FOREIGN KEY (cart_id) REFERENCES carts (id) ON DELETE SET NULL)`,
    );
    expect(target.detach).toEqual(['invoices.cart_id']);
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('treats a kind as a pair only if the id has a role', async () => {
    const { commentsOn } = await suggest(
      USERS,
      `CREATE TABLE alerts (id integer PRIMARY KEY, user_id integer,
         product_type varchar(20), product_id integer, target_type varchar(20), target_id integer)`,
    );
    expect(commentsOn('alerts')).not.toContain('product_type says which table');
    expect(commentsOn('alerts')).toContain('product_id refers to no table by its name');
    expect(commentsOn('alerts')).toContain('where: { target_type: User }');
  });
});
