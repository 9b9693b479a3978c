// Rows that refer to themselves, in circles, or to somebody else's; tables without keys.
import { ACME, EACH, type OrdinarySchema, ofUser, plan, TWO_USERS, USERS } from './schema.ts';

const CIRCLE = `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80), address_id INTEGER);
  CREATE TABLE addresses (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id));
  ${TWO_USERS}; INSERT INTO addresses VALUES (1, 1), (2, 1), (3, 2);
  ALTER TABLE users ADD CONSTRAINT first_address FOREIGN KEY (address_id) REFERENCES addresses (id);
  UPDATE users SET address_id = 1 WHERE id = 1; UPDATE users SET address_id = 3 WHERE id = 2`;

export const DELETING: readonly OrdinarySchema[] = [
  {
    name: 'users and addresses that refer to each other',
    on: ['PostgreSQL', 'MariaDB'],
    schema: CIRCLE,
    settings: [ACME, plan(ofUser('addresses'), USERS)],
    left: { users: 1, addresses: 1 },
  },
  {
    name: 'the same, listed the other way round',
    on: ['PostgreSQL', 'MariaDB'],
    schema: CIRCLE,
    settings: [ACME, plan(USERS, ofUser('addresses'))],
    left: { users: 1, addresses: 1 },
  },
  {
    name: 'orders that stay, overwritten, while their customer goes',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER NULL, email VARCHAR(80),
        name VARCHAR(80), FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL);
      CREATE TABLE parcels (id INTEGER PRIMARY KEY, order_id INTEGER, email VARCHAR(80),
        FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE);
      ${TWO_USERS};
      INSERT INTO orders VALUES (1, 1, 'jane@x.org', 'Jane'), (2, NULL, 'jane@x.org', 'Jane'),
        (3, 2, 'bob@x.org', 'Bob');
      INSERT INTO parcels VALUES (1, 1, 'jane@x.org'), (2, 2, 'jane@x.org'), (3, 3, 'bob@x.org')`,
    settings: [
      ACME,
      'detach: [orders.user_id]',
      plan(
        '{ table: parcels, via: { orders: { order_id: id } }, action: { overwrite: { email: null } } }',
        '{ table: orders, match: { email: email }, via: { users: { user_id: id } }, action: { overwrite: { email: null, name: null } } }',
        USERS,
      ),
    ],
    left: {
      users: 1,
      orders: 3,
      parcels: 3,
      "orders WHERE name = 'Jane' OR email LIKE 'jane%' OR user_id = 1": 0,
      "parcels WHERE email LIKE 'jane%'": 0,
    },
  },
  {
    name: 'a boss',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80), boss_id INTEGER NULL,
        FOREIGN KEY (boss_id) REFERENCES users (id) ON DELETE SET NULL);
      ${TWO_USERS}; UPDATE users SET boss_id = 1 WHERE id = 2; INSERT INTO users VALUES (3, NULL, 2)`,
    settings: [ACME, 'detach: [users.boss_id]', plan(USERS)],
    left: { users: 2, 'users WHERE boss_id IS NULL': 1, 'users WHERE boss_id = 2': 1 },
  },
  {
    name: 'replies that would go with what they answer',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER, parent_id INTEGER NULL,
        FOREIGN KEY (user_id) REFERENCES users (id),
        FOREIGN KEY (parent_id) REFERENCES posts (id) ON DELETE CASCADE);
      ${TWO_USERS}; INSERT INTO posts VALUES (1, 1, NULL), (2, 2, 1), (3, 2, NULL), (4, 1, 2)`,
    settings: [ACME, 'detach: [posts.parent_id]', plan(ofUser('posts'), USERS)],
    left: { users: 1, posts: 2, 'posts WHERE parent_id IS NULL': 2 },
  },
  {
    name: 'who made and who changed each row',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80),
        created_by INTEGER NULL REFERENCES users (id));
      CREATE TABLE docs (id INTEGER PRIMARY KEY, created_by INTEGER NULL REFERENCES users (id),
        updated_by INTEGER NULL REFERENCES users (id));
      ${TWO_USERS}; UPDATE users SET created_by = 1;
      INSERT INTO docs VALUES (1, 1, 1), (2, 2, 1), (3, 2, 2)`,
    settings: [ACME, 'detach: [docs.created_by, docs.updated_by, users.created_by]', plan(USERS)],
    left: {
      users: 1,
      docs: 3,
      'docs WHERE created_by = 1 OR updated_by = 1': 0,
      'docs WHERE created_by = 2': 2,
      'docs WHERE updated_by = 2': 1,
    },
  },
  {
    name: 'a log without a key, with the same row twice',
    on: EACH,
    schema: `CREATE TABLE log (email VARCHAR(80), what VARCHAR(80));
      INSERT INTO log VALUES ('jane@x.org', 'a'), ('jane@x.org', 'a'), ('JANE@x.org', 'b'),
        ('bob@x.org', 'a'), (NULL, 'a')`,
    settings: [ACME, plan('{ table: log, match: { email: email } }')],
    left: { log: 2 },
  },
  {
    name: 'a log without a key that refers to users',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80));
      CREATE TABLE log (user_id INTEGER, what VARCHAR(80));
      ${TWO_USERS}; INSERT INTO log VALUES (1, 'a'), (1, 'a'), (2, 'a'), (NULL, 'a')`,
    settings: [ACME, plan(ofUser('log'), USERS)],
    left: { users: 1, log: 2 },
  },
  {
    name: 'members of teams without a primary key',
    on: ['PostgreSQL'],
    schema: `CREATE TABLE users (id int PRIMARY KEY, email text);
      CREATE TABLE _user_to_team (a int NOT NULL REFERENCES users ON DELETE CASCADE, b int NOT NULL);
      CREATE UNIQUE INDEX ON _user_to_team (a, b);
      ${TWO_USERS}; INSERT INTO _user_to_team VALUES (1, 1), (2, 1)`,
    settings: [ACME, plan('{ table: _user_to_team, via: { users: { a: id } } }', USERS)],
    left: { users: 1, _user_to_team: 1 },
  },
];
