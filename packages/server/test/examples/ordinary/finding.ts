// How rows are named and how they refer to each other.
import { hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { ACME, EACH, type OrdinarySchema, ofUser, plan, TWO_USERS, USERS } from './schema.ts';

export const FINDING: readonly OrdinarySchema[] = [
  {
    name: 'ids of 16 bytes',
    on: ['MariaDB'],
    schema: `CREATE TABLE users (id BINARY(16) PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE orders (id BINARY(16) PRIMARY KEY, user_id BINARY(16) NOT NULL,
        FOREIGN KEY (user_id) REFERENCES users (id));
      INSERT INTO users VALUES (X'00112233445566778899AABBCCDDEE00', 'jane@x.org'),
        (X'00112233445566778899AABBCCDDEEFF', 'bob@x.org');
      INSERT INTO orders SELECT UNHEX(LEFT(SHA2(id, 256), 32)), id FROM users`,
    settings: [ACME, plan(ofUser('orders'), USERS)],
    left: { users: 1, orders: 1 },
  },
  {
    name: 'UUIDs of the database',
    on: (await hasMysql()) ? ['PostgreSQL'] : ['MariaDB', 'PostgreSQL'],
    schema: `CREATE TABLE users (id UUID PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id UUID NOT NULL REFERENCES users (id));
      INSERT INTO users VALUES ('00112233-4455-6677-8899-aabbccddee00', 'jane@x.org'),
        ('00112233-4455-6677-8899-aabbccddeeff', 'bob@x.org');
      INSERT INTO orders VALUES (1, '00112233-4455-6677-8899-aabbccddee00'),
        (2, '00112233-4455-6677-8899-aabbccddeeff')`,
    settings: [ACME, plan(ofUser('orders'), USERS)],
    left: { users: 1, orders: 1 },
  },
  {
    name: 'a partitioned table',
    on: ['PostgreSQL'],
    schema: `CREATE TABLE users (id int PRIMARY KEY, email text);
      CREATE TABLE events (id int, at timestamptz, user_id int REFERENCES users, PRIMARY KEY (id, at))
        PARTITION BY RANGE (at);
      CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
      CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
      ${TWO_USERS};
      INSERT INTO events VALUES (1, '2026-01-02 03:04:05.123456Z', 1), (2, '2026-02-02Z', 1),
        (3, '2026-02-02Z', 2)`,
    settings: [ACME, plan(ofUser('events'), USERS)],
    left: { users: 1, events: 1 },
  },
  {
    name: 'a key of a large number, a time and an enumeration',
    on: ['PostgreSQL'],
    schema: `CREATE TYPE kind AS ENUM ('a', 'b');
      CREATE TABLE users (id bigint PRIMARY KEY, email text);
      CREATE TABLE views (user_id bigint REFERENCES users ON DELETE CASCADE, at timestamptz, kind kind,
        PRIMARY KEY (user_id, at, kind));
      INSERT INTO users VALUES (9007199254740993, 'Jane@x.org'), (9007199254740992, 'bob@x.org');
      INSERT INTO views VALUES (9007199254740993, '2026-01-02 03:04:05.123456Z', 'a'),
        (9007199254740993, '2026-01-02 03:04:05.123457Z', 'b'),
        (9007199254740992, '2026-01-02 03:04:05.123456Z', 'a')`,
    settings: [ACME, plan(ofUser('views'), USERS)],
    left: { users: 1, views: 1 },
  },
  {
    name: 'a table for each class, with one id',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE employees (id INTEGER PRIMARY KEY, salary INTEGER,
        FOREIGN KEY (id) REFERENCES users (id) ON DELETE CASCADE);
      ${TWO_USERS}; INSERT INTO employees VALUES (1, 10), (2, 20)`,
    settings: [ACME, plan('{ table: employees, via: { users: { id: id } } }', USERS)],
    left: { users: 1, employees: 1 },
  },
  {
    name: 'an address that the user refers to',
    on: EACH,
    schema: `CREATE TABLE addresses (id INTEGER PRIMARY KEY, street VARCHAR(80));
      CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80),
        address_id INTEGER REFERENCES addresses (id));
      INSERT INTO addresses VALUES (1, 'High'), (2, 'Low');
      INSERT INTO users VALUES (1, 'jane@x.org', 1), (2, 'bob@x.org', 2)`,
    settings: [ACME, plan(USERS, '{ table: addresses, via: { users: { id: address_id } } }')],
    left: { users: 1, addresses: 1 },
  },
  {
    name: 'orders with two addresses of the customer',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE addresses (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id),
        billing_id INTEGER REFERENCES addresses (id), shipping_id INTEGER REFERENCES addresses (id));
      ${TWO_USERS}; INSERT INTO addresses VALUES (1, 1), (2, 1), (3, 2);
      INSERT INTO orders VALUES (1, 1, 1, 2), (2, 1, 1, NULL), (3, 2, 3, 3)`,
    settings: [ACME, plan(ofUser('orders'), ofUser('addresses'), USERS)],
    left: { users: 1, addresses: 1, orders: 1 },
  },
  {
    name: 'members of teams',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE teams (id INTEGER PRIMARY KEY);
      CREATE TABLE members (user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE, PRIMARY KEY (user_id, team_id));
      ${TWO_USERS}; INSERT INTO teams VALUES (1); INSERT INTO members VALUES (1, 1), (2, 1)`,
    settings: [ACME, plan(ofUser('members'), USERS)],
    left: { users: 1, members: 1, teams: 1 },
  },
  {
    name: 'an email as the key',
    on: EACH,
    schema: `CREATE TABLE users (email VARCHAR(80) PRIMARY KEY, name VARCHAR(20));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_email VARCHAR(80) NOT NULL,
        FOREIGN KEY (user_email) REFERENCES users (email) ON UPDATE CASCADE);
      INSERT INTO users VALUES ('Jane@x.org', 'J'), ('bob@x.org', 'B');
      INSERT INTO orders VALUES (1, 'Jane@x.org'), (2, 'bob@x.org')`,
    settings: [ACME, plan('{ table: orders, via: { users: { user_email: email } } }', USERS)],
    left: { users: 1, orders: 1 },
  },
  {
    name: 'names with capitals',
    on: ['PostgreSQL'],
    schema: `CREATE TABLE "User" (id text PRIMARY KEY, "emailAddress" text UNIQUE);
      CREATE TABLE "Order" (id text PRIMARY KEY,
        "userId" text NOT NULL REFERENCES "User" (id) ON DELETE RESTRICT ON UPDATE CASCADE);
      CREATE TABLE "_UserToTeam" ("A" text NOT NULL REFERENCES "User" (id) ON DELETE CASCADE,
        "B" text NOT NULL);
      CREATE UNIQUE INDEX ON "_UserToTeam" ("A", "B");
      INSERT INTO "User" VALUES ('c1', 'jane@x.org'), ('c2', 'bob@x.org');
      INSERT INTO "Order" VALUES ('o1', 'c1'), ('o2', 'c2');
      INSERT INTO "_UserToTeam" VALUES ('c1', 't'), ('c2', 't')`,
    settings: [
      ACME,
      plan(
        '{ table: Order, via: { User: { userId: id } } }',
        '{ table: _UserToTeam, key: [A, B], via: { User: { A: id } } }',
        '{ table: User, match: { email: emailAddress } }',
      ),
    ],
    left: { '"User"': 1, '"Order"': 1, '"_UserToTeam"': 1 },
  },
  {
    name: 'tables in two schemas',
    on: ['PostgreSQL'],
    schema: `CREATE SCHEMA auth;
      CREATE TABLE auth.users (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email varchar(255));
      CREATE TABLE public.profiles (id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE);
      INSERT INTO auth.users (email) VALUES ('jane@x.org'), ('bob@x.org');
      INSERT INTO profiles SELECT id FROM auth.users`,
    settings: [
      ACME,
      plan(
        '{ table: profiles, via: { auth.users: { id: id } } }',
        '{ table: auth.users, match: { email: email } }',
      ),
    ],
    left: { 'auth.users': 1, profiles: 1 },
  },
  {
    name: 'keys of a tenant and a number',
    on: EACH,
    schema: `CREATE TABLE users (tenant_id VARCHAR(20) NOT NULL, id INTEGER NOT NULL, email VARCHAR(80),
        PRIMARY KEY (tenant_id, id));
      CREATE TABLE orders (tenant_id VARCHAR(20) NOT NULL, id INTEGER NOT NULL, user_id INTEGER,
        PRIMARY KEY (tenant_id, id),
        FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id));
      INSERT INTO users VALUES ('acme', 1, 'jane@x.org'), ('globex', 1, 'jane@x.org'),
        ('acme', 2, 'bob@x.org');
      INSERT INTO orders VALUES ('acme', 1, 1), ('globex', 1, 1), ('acme', 2, 2), ('acme', 3, NULL)`,
    settings: ['tenant_column: tenant_id', plan(ofUser('orders'), USERS)],
    left: { users: 2, orders: 3, "users WHERE tenant_id = 'globex'": 1 },
  },
  {
    name: 'ids of different types',
    on: EACH,
    schema: `CREATE TABLE users (id BIGINT PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE visits (id INTEGER PRIMARY KEY, user_id SMALLINT);
      CREATE TABLE keys_of (id INTEGER PRIMARY KEY, user_id VARCHAR(20));
      CREATE TABLE bills (id INTEGER PRIMARY KEY, user_id DECIMAL(20, 0));
      ${TWO_USERS}; INSERT INTO visits VALUES (1, 1), (2, 2);
      INSERT INTO keys_of VALUES (1, '1'), (2, '2'), (3, 'x'), (4, '');
      INSERT INTO bills VALUES (1, 1), (2, 2)`,
    settings: [ACME, plan(ofUser('visits'), ofUser('keys_of'), ofUser('bills'), USERS)],
    left: { users: 1, visits: 1, keys_of: 3, bills: 1 },
  },
  ...['jane', 'stranger'].map((who) => ({
    name: `email addresses in a table of their own, ${who === 'jane' ? 'some of them the person’s' : 'none of them the person’s'}`,
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(20));
      CREATE TABLE emails (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
        email VARCHAR(80));
      INSERT INTO users VALUES (1, '${who}'), (2, 'Bob');
      INSERT INTO emails VALUES (1, 1, '${who}@x.org'), (2, 1, '${who}@home.org'), (3, 2, 'bob@x.org')`,
    settings: [
      ACME,
      'resolve: { table: emails, from: { email: email }, to: { controller_customer_id: user_id } }',
      plan(ofUser('emails'), '{ table: users, match: { controller_customer_id: id } }'),
    ],
    left: who === 'jane' ? { users: 1, emails: 1 } : { users: 2, emails: 3 },
  })),
];
