// A first plan has what is nearly certain; the rest is asked, the dangerous first, or left out.
import { expect, it } from 'vitest';
import { onEverySqlDatabase } from '../sql/use-sql-target.ts';
import { checkEdited, suggestFor } from './suggested.ts';

const CALENDAR = [
  'CREATE TABLE teams (id integer PRIMARY KEY, name varchar(90), billing_email varchar(90))',
  `CREATE TABLE event_types (id integer PRIMARY KEY, title varchar(90),
     team_id integer NOT NULL REFERENCES teams (id))`,
  `CREATE TABLE bookings (id integer PRIMARY KEY, place varchar(90),
     event_type_id integer NOT NULL REFERENCES event_types (id))`,
  `CREATE TABLE attendees (id integer PRIMARY KEY, email varchar(90),
     booking_id integer NOT NULL REFERENCES bookings (id))`,
  `CREATE TABLE members (id integer PRIMARY KEY, email varchar(90),
     team_id integer NOT NULL REFERENCES teams (id))`,
];

await onEverySqlDatabase('a first plan', ({ query, database }) => {
  const make = async (...statements: string[]) => {
    for (const statement of statements) await query(statement);
  };

  it('knows tenants by reference, and never offers their own table', async () => {
    await make(...CALENDAR);
    const { target, text } = await suggestFor(database());
    expect(target.tenant_column).toBe('team_id');
    expect(target.tables).toEqual([
      {
        table: 'attendees',
        match: { email: 'email' },
        tenant: { bookings: { booking_id: 'id' } },
      },
      { table: 'members', match: { email: 'email' } },
      {
        table: 'bookings',
        action: 'lead',
        tenant: { event_types: { event_type_id: 'id' } },
      },
      { table: 'event_types', action: 'lead' },
    ]);
    expect(text).toContain('# teams: has billing_email, but seems to be an organisation');
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('names the column of a table that refers to the tenant by another one', async () => {
    await make(
      ...CALENDAR,
      `CREATE TABLE users (id integer PRIMARY KEY, email varchar(90),
         organization_id integer REFERENCES teams (id))`,
    );
    const { target } = await suggestFor(database());
    expect(target.tables).toContainEqual({
      table: 'users',
      match: { email: 'email' },
      tenant_column: 'organization_id',
    });
  });

  it('does not ask for tenants where the file names the controllers', async () => {
    await make(...CALENDAR);
    const given = { tenancy: ['controllers: ["acme"]'], tenantColumn: null };
    const { target, text } = await suggestFor(database(), given);
    expect(target.tables).toEqual([
      { table: 'attendees', match: { email: 'email' } },
      { table: 'members', match: { email: 'email' } },
    ]);
    expect(text).not.toContain('team_id is in');
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('takes the tenant column that the file names', async () => {
    await make(
      'CREATE TABLE people (id integer PRIMARY KEY, email varchar(90), club integer)',
      'CREATE TABLE guests (id integer PRIMARY KEY, email varchar(90))',
    );
    const given = { tenancy: ['tenant_column: "club"'], tenantColumn: 'club' };
    const { certain, commentsOn } = await suggestFor(database(), given);
    expect(certain).toEqual(['people']);
    expect(commentsOn('guests')).toContain('guests: it has no club: name its own tenant_column');
  });

  it('does not prefer a name to a declared foreign key', async () => {
    await make(
      'CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90))',
      `CREATE TABLE orders (id integer PRIMARY KEY,
         customer_id integer NOT NULL REFERENCES customers (id))`,
      `CREATE TABLE order_items (id integer PRIMARY KEY, customer_id integer,
         order_id integer NOT NULL REFERENCES orders (id))`,
    );
    const { target } = await suggestFor(database());
    expect(target.tables[0]).toEqual({
      table: 'order_items',
      via: { orders: { order_id: 'id' } },
    });
  });

  it('gives rows to the client, not to the user who entered them', async () => {
    await make(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE clients (id integer PRIMARY KEY, user_id integer, phone varchar(90))',
      `CREATE TABLE client_contacts (id integer PRIMARY KEY, email varchar(90),
         user_id integer NOT NULL REFERENCES users (id),
         client_id integer NOT NULL REFERENCES clients (id))`,
      `CREATE TABLE quotes (id integer PRIMARY KEY,
         user_id integer NOT NULL REFERENCES users (id),
         client_id integer NOT NULL REFERENCES clients (id))`,
    );
    const { target } = await suggestFor(database());
    expect(target.tables).toEqual(
      expect.arrayContaining([
        { table: 'quotes', via: { clients: { client_id: 'id' } } },
        { table: 'client_contacts', match: { email: 'email' } },
        { table: 'clients', via: { client_contacts: { id: 'client_id' } }, shared: 'hold' },
      ]),
    );
  });

  it('asks at most 20 questions, first those about addresses, and leaves the rest out', async () => {
    await make(
      'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE depots (id integer PRIMARY KEY, email varchar(90))',
      ...Array.from(
        { length: 30 },
        (_, at) => `CREATE TABLE thing${at} (id integer PRIMARY KEY,
          user_id integer REFERENCES users (id))`,
      ),
    );
    const { certain, text } = await suggestFor(database());
    expect(certain).toEqual(['users']);
    const questions = text.split('\n').filter((line) => line.includes('# ?'));
    expect(questions).toHaveLength(20);
    expect(questions[1]).toContain('# ? 1. depots: is email');
    const leftOut = text.slice(text.indexOf('# Left out:')).trim().split('\n').slice(1);
    expect(leftOut).toHaveLength(13);
    expect(leftOut[0]).toMatch(/^ {4}# thing\d+: user_id may be NULL/);
  });
});
