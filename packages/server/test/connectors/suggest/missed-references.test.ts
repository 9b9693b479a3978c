// A first plan follows references as well-known applications write them, and says why it left a table out.
import { expect, it } from 'vitest';
import { onEverySqlDatabase } from '../sql/use-sql-target.ts';
import { checkEdited, suggestFor } from './suggested.ts';

await onEverySqlDatabase('a first plan', ({ query, database, connector }) => {
  async function suggest(...statements: string[]) {
    for (const statement of statements) await query(statement);
    return suggestFor(database());
  }
  const USERS = 'CREATE TABLE users (id integer PRIMARY KEY, email varchar(90))';

  it('follows what refers to people whom a login names', async () => {
    const { target, commentsOn, text } = await suggest(
      'CREATE TABLE accounts (id integer PRIMARY KEY, username varchar(90), display_name varchar(90))',
      `CREATE TABLE users (id integer PRIMARY KEY, email varchar(90), password varchar(90),
         account_id integer NOT NULL REFERENCES accounts (id))`,
      `CREATE TABLE statuses (id integer PRIMARY KEY,
         account_id integer NOT NULL REFERENCES accounts (id))`,
      `CREATE TABLE status_stats (id integer PRIMARY KEY,
         status_id integer NOT NULL REFERENCES statuses (id))`,
    );
    expect(target.tables).toEqual([
      { table: 'status_stats', via: { statuses: { status_id: 'id' } } },
      { table: 'statuses', via: { accounts: { account_id: 'id' } } },
      { table: 'users', match: { email: 'email' } },
      { table: 'accounts', via: { users: { id: 'account_id' } }, shared: 'hold' },
    ]);
    expect(commentsOn('accounts')).toContain('several people may refer to one row');
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('finds users by the table of their addresses, and theirs by the users', async () => {
    const { target, text } = await suggest(
      `CREATE TABLE users (id integer PRIMARY KEY, login varchar(90), firstname varchar(90),
         avatar_id integer)`,
      'CREATE TABLE email_addresses (id integer PRIMARY KEY, user_id integer, address varchar(90))',
      'CREATE TABLE avatars (id integer PRIMARY KEY, topic_id integer)',
      'CREATE TABLE topics (id integer PRIMARY KEY, user_id integer)',
      'CREATE TABLE topic_users (id integer PRIMARY KEY, topic_id integer, user_id integer)',
      'CREATE TABLE email_tokens (id integer PRIMARY KEY, email varchar(90), user_id integer)',
    );
    expect(target.tables).toEqual(
      expect.arrayContaining([
        {
          table: 'email_tokens',
          match: { email: 'email' },
          via: { users: { user_id: 'id' } },
          shared: 'hold',
        },
        { table: 'topic_users', via: { users: { user_id: 'id' } } },
        { table: 'topics', via: { users: { user_id: 'id' } } },
        { table: 'email_addresses', match: { email: 'address' } },
        { table: 'users', via: { email_addresses: { id: 'user_id' } }, shared: 'hold' },
      ]),
    );
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('reads names without underscores', async () => {
    const { target, commentsOn, remarkOn } = await suggest(
      USERS,
      'CREATE TABLE posts (id integer PRIMARY KEY, userid integer)',
      'CREATE TABLE reactions (id integer PRIMARY KEY, postid integer)',
      'CREATE TABLE audits (id integer PRIMARY KEY, userid integer, ipaddress varchar(90))',
      'CREATE TABLE channels (id integer PRIMARY KEY, creatorid integer)',
      'CREATE TABLE bills_paid (id integer PRIMARY KEY, paid integer)',
    );
    expect(target.tables).toEqual([
      { table: 'reactions', via: { posts: { postid: 'id' } } },
      { table: 'audits', via: { users: { userid: 'id' } } },
      { table: 'posts', via: { users: { userid: 'id' } } },
      { table: 'users', match: { email: 'email' } },
    ]);
    expect(commentsOn('posts')).toContain('by its name; no foreign key says so');
    expect(commentsOn('audits')).toContain('looks personal by ipaddress');
    expect(remarkOn('channels')).toContain('creatorid says who acted');
  });

  it('follows uid, and begins at the key if no table has an address', async () => {
    const { target, commentsOn } = await suggest(
      `CREATE TABLE oc_users (uid varchar(64) PRIMARY KEY, displayname varchar(90),
         password varchar(90))`,
      'CREATE TABLE oc_mounts (id integer PRIMARY KEY, user_id varchar(64))',
      'CREATE TABLE oc_tokens (id integer PRIMARY KEY, uid varchar(64))',
      `CREATE TABLE oc_activity (id integer PRIMARY KEY, ${connector === 'mysql' ? '`user`' : '"user"'} varchar(64))`,
    );
    expect(target.tables).toEqual([
      { table: 'oc_activity', via: { oc_users: { user: 'uid' } } },
      { table: 'oc_mounts', via: { oc_users: { user_id: 'uid' } } },
      { table: 'oc_tokens', via: { oc_users: { uid: 'uid' } } },
      { table: 'oc_users', match: { controller_customer_id: 'uid' } },
    ]);
    expect(commentsOn('oc_users')).toContain(
      'what the controllers call their customers by: oc_users by uid',
    );
  });

  it('follows uid to the people, and the login that is their key', async () => {
    const { target } = await suggest(
      'CREATE TABLE external_login_user (email varchar(90), kind integer, PRIMARY KEY (email, kind))',
      'CREATE TABLE "user" (id integer PRIMARY KEY, email varchar(90))'.replaceAll(
        '"',
        connector === 'mysql' ? '`' : '"',
      ),
      'CREATE TABLE access_token (id integer PRIMARY KEY, uid integer)',
      'CREATE TABLE issue (id integer PRIMARY KEY, poster_id integer, post_deleted integer)',
      'CREATE TABLE site_admin_user (login varchar(90) PRIMARY KEY, email varchar(90))',
      'CREATE TABLE site_access (id integer PRIMARY KEY, login varchar(90))',
    );
    expect(target.tables).toEqual(
      expect.arrayContaining([
        { table: 'access_token', via: { user: { uid: 'id' } } },
        { table: 'issue', via: { user: { poster_id: 'id' } } },
        { table: 'site_access', via: { site_admin_user: { login: 'login' } } },
      ]),
    );
  });

  it('does not treat a table that connects members with teams as an organisation', async () => {
    const { target, remarkOn } = await suggest(
      'CREATE TABLE orgmember (id integer PRIMARY KEY, email varchar(90))',
      'CREATE TABLE teams (id integer PRIMARY KEY, orgmember_id integer)',
      'CREATE TABLE orgmember_teams (id integer PRIMARY KEY, orgmember_id integer)',
    );
    expect(target.tables[0]).toEqual({
      table: 'orgmember_teams',
      via: { orgmember: { orgmember_id: 'id' } },
    });
    expect(remarkOn('teams')).toContain('seems to be an organisation, for which orgmember_id');
  });

  it('prefers a foreign key to a name', async () => {
    const { target, commentsOn } = await suggest(
      'CREATE TABLE customers (id integer PRIMARY KEY, email varchar(90))',
      `CREATE TABLE orders (id integer PRIMARY KEY, ext_customer_id integer,
         customer_id integer NOT NULL REFERENCES customers (id))`,
    );
    expect(target.tables[0]).toEqual({
      table: 'orders',
      via: { customers: { customer_id: 'id' } },
    });
    expect(commentsOn('orders')).toContain('also refers to customers by ext_customer_id');
  });

  it('says how to find what a part of it ties to a person', async () => {
    const { text, remarkOn } = await suggest(
      'CREATE TABLE parcel (id integer PRIMARY KEY, state integer)',
      `CREATE TABLE parcel_customer (id integer PRIMARY KEY, email varchar(90),
         parcel_id integer NOT NULL REFERENCES parcel (id))`,
      `CREATE TABLE parcel_address (id integer PRIMARY KEY, first_name varchar(90),
         parcel_id integer NOT NULL REFERENCES parcel (id))`,
    );
    expect(remarkOn('parcel')).toContain('rows of parcel_customer name a person');
    expect(text).toContain('#        via: { parcel_customer: { id: parcel_id } }');
    expect(remarkOn('parcel_address')).toContain('it refers to parcel by parcel_id');
  });

  it('lists what is below rows that may be several people’s', async () => {
    const { remarkOn } = await suggest(
      'CREATE TABLE addresses (id integer PRIMARY KEY, street varchar(90), city varchar(90))',
      `CREATE TABLE users (id integer PRIMARY KEY, email varchar(90),
         address_id integer REFERENCES addresses (id))`,
      `CREATE TABLE keys_to_it (id integer PRIMARY KEY,
         address_id integer NOT NULL REFERENCES addresses (id))`,
    );
    expect(remarkOn('keys_to_it')).toContain(
      "address_id refers to addresses, whose rows may be several people's",
    );
  });
});
