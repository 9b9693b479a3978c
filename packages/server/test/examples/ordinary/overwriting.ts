// Columns of many kinds, with rules about what may stand in them.
import { ACME, EACH, type OrdinarySchema, overwriting } from './schema.ts';

const EMAIL = 'email: { unique: "erased-{random}@example.invalid" }';

export const OVERWRITING: readonly OrdinarySchema[] = [
  {
    name: 'columns that the database computes, and a time that a trigger sets',
    on: ['PostgreSQL'],
    schema: `CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL, first text, last text,
        full_name text GENERATED ALWAYS AS (first || ' ' || last) STORED, updated_at timestamptz);
      CREATE UNIQUE INDEX ON users (lower(email));
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.updated_at = now(); RETURN NEW; END $$;
      CREATE TRIGGER touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch();
      INSERT INTO users VALUES (1, 'jane@x.org', 'Jane', 'Doe'), (2, 'bob@x.org', 'Bob', 'Doe')`,
    settings: [ACME, 'triggers: [touch]', overwriting(`${EMAIL}, first: "", last: ""`)],
    left: { users: 2, "users WHERE email LIKE 'jane%' OR full_name LIKE '%Jane%'": 0 },
  },
  {
    name: 'unique indexes on some rows and on expressions',
    on: ['PostgreSQL'],
    schema: `CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL, username text NOT NULL,
        phone text, deleted_at timestamptz);
      CREATE UNIQUE INDEX ON users (lower(email)) WHERE deleted_at IS NULL;
      CREATE UNIQUE INDEX ON users (lower(username));
      CREATE UNIQUE INDEX ON users (phone) WHERE phone IS NOT NULL;
      INSERT INTO users VALUES (1, 'jane@x.org', 'jane', '1'), (2, 'bob@x.org', 'bob', '2')`,
    settings: [
      ACME,
      overwriting(
        `${EMAIL}, username: { unique: "erased-{random}" }, phone: null, deleted_at: { now: true }`,
      ),
    ],
    left: {
      users: 2,
      "users WHERE email LIKE 'jane%' OR username = 'jane' OR phone = '1'": 0,
      'users WHERE deleted_at IS NOT NULL': 1,
    },
  },
  {
    name: 'an enumeration, times, a flag, a float and JSON',
    on: ['MariaDB'],
    schema: `CREATE TABLE users (id int PRIMARY KEY, email varchar(80) UNIQUE NOT NULL,
        gender enum('m', 'f', 'x') NOT NULL, gone datetime, gone_exactly timestamp(6) NULL, gone_on date,
        active tinyint(1) NOT NULL, score float NOT NULL, prefs json,
        updated_at timestamp NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp);
      INSERT INTO users VALUES
        (1, 'jane@x.org', 'f', NULL, NULL, NULL, 1, 5.5, '{"a": {"name": "Jane"}, "b": 1}', '2020-01-01'),
        (2, 'bob@x.org', 'm', NULL, NULL, NULL, 1, 5.5, '{}', '2020-01-01')`,
    settings: [
      ACME,
      overwriting(
        `${EMAIL}, gender: x, gone: { now: true }, gone_exactly: { now: true }, gone_on: { now: true }, active: false, score: 0.1, prefs: { json: { "$.a.name": { remove: true } } }`,
      ),
    ],
    left: {
      users: 2,
      "users WHERE email LIKE 'jane%' OR prefs LIKE '%Jane%'": 0,
      "users WHERE gone > '2020-01-01' AND gone_exactly > '2020-01-01' AND gone_on > '2020-01-01'": 1,
      "users WHERE active = 0 AND gender = 'x' AND score < 0.2": 1,
      "users WHERE updated_at = '2020-01-01'": 1,
    },
  },
  {
    name: 'a domain, an enumeration, JSON, a list, an address and a rule over two columns',
    on: ['PostgreSQL'],
    schema: `CREATE DOMAIN address AS text CHECK (VALUE ~ '@');
      CREATE TYPE gender AS ENUM ('m', 'f', 'x');
      CREATE TABLE users (id int PRIMARY KEY, email address UNIQUE NOT NULL, gender gender NOT NULL,
        active boolean NOT NULL, prefs jsonb, tags text[], ip inet, score real,
        CHECK (active OR gender = 'x'));
      INSERT INTO users VALUES
        (1, 'jane@x.org', 'f', true, '{"name": "Jane", "list": [{"a": "Jane"}]}', '{Jane}', '192.0.2.1', 1),
        (2, 'bob@x.org', 'm', true, '{}', '{}', NULL, 1)`,
    settings: [
      ACME,
      overwriting(
        `${EMAIL}, gender: x, active: false, tags: null, ip: null, score: 0.1, prefs: { json: { "$.name": null, "$.list[0].a": { remove: true } } }`,
      ),
    ],
    left: {
      users: 2,
      "users WHERE email LIKE 'jane%' OR prefs::text LIKE '%Jane%' OR tags = '{Jane}'": 0,
      "users WHERE ip IS NULL AND gender = 'x' AND NOT active": 1,
    },
  },
  {
    name: 'a column of fixed length',
    on: EACH,
    schema: `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(80) NOT NULL UNIQUE, name CHAR(30));
      INSERT INTO users VALUES (1, 'jane@x.org', 'Jane'), (2, 'bob@x.org', 'Bob')`,
    settings: [ACME, overwriting(`${EMAIL}, name: erased`)],
    left: { users: 2, "users WHERE email LIKE 'jane%' OR name LIKE 'Jane%'": 0 },
  },
];
