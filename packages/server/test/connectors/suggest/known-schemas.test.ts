// First plans for databases as well-known applications make them.
import { expect, it } from 'vitest';
import { onEverySqlDatabase } from '../sql/use-sql-target.ts';
import { checkEdited, suggestFor } from './suggested.ts';

const RAILS = `
CREATE TABLE schema_migrations (version varchar(50) PRIMARY KEY);
CREATE TABLE accounts (id integer PRIMARY KEY, name varchar(90), billing_email varchar(90));
CREATE TABLE users (id integer PRIMARY KEY, account_id integer NOT NULL, email varchar(90) NOT NULL,
  encrypted_password varchar(90) NOT NULL, first_name varchar(90), last_sign_in_ip varchar(90),
  deleted_at timestamp NULL);
CREATE TABLE posts (id integer PRIMARY KEY, account_id integer, user_id integer, title varchar(90));
CREATE TABLE comments (id integer PRIMARY KEY, account_id integer, user_id integer, body text,
  commentable_type varchar(50), commentable_id integer);
CREATE TABLE messages (id integer PRIMARY KEY, sender_id integer, recipient_id integer, body text);
CREATE TABLE friendships (id integer PRIMARY KEY, user_id integer, friend_id integer);
CREATE TABLE active_storage_attachments (id integer PRIMARY KEY, record_type varchar(50),
  record_id integer, blob_id integer);
CREATE TABLE active_storage_blobs (id integer PRIMARY KEY, filename varchar(90));
CREATE TABLE products (id integer PRIMARY KEY, name varchar(90), created_by_id integer)`;

const DJANGO = `
CREATE TABLE django_content_type (id integer PRIMARY KEY, app_label varchar(90), model varchar(90));
CREATE TABLE auth_group (id integer PRIMARY KEY, name varchar(90));
CREATE TABLE auth_user (id integer PRIMARY KEY, password varchar(128) NOT NULL,
  username varchar(150) NOT NULL UNIQUE, first_name varchar(150) NOT NULL, email varchar(190) NOT NULL);
CREATE TABLE auth_user_groups (id integer PRIMARY KEY,
  user_id integer NOT NULL REFERENCES auth_user (id),
  group_id integer NOT NULL REFERENCES auth_group (id));
CREATE TABLE django_admin_log (id integer PRIMARY KEY, object_id varchar(90), object_repr varchar(200),
  content_type_id integer REFERENCES django_content_type (id),
  user_id integer NOT NULL REFERENCES auth_user (id));
CREATE TABLE django_session (session_key varchar(40) PRIMARY KEY, session_data text NOT NULL);
CREATE TABLE shop_customer (id integer PRIMARY KEY, phone varchar(20),
  user_id integer NOT NULL UNIQUE REFERENCES auth_user (id));
CREATE TABLE shop_order (id integer PRIMARY KEY, contact_email varchar(190),
  customer_id integer NOT NULL REFERENCES shop_customer (id));
CREATE TABLE shop_orderline (id integer PRIMARY KEY, sku varchar(20),
  order_id integer NOT NULL REFERENCES shop_order (id));
CREATE TABLE shop_payment (id integer PRIMARY KEY, amount integer,
  order_id integer NOT NULL REFERENCES shop_order (id))`;

const WORDPRESS = `
CREATE TABLE wp_users (ID integer PRIMARY KEY, user_login varchar(60) NOT NULL,
  user_email varchar(100) NOT NULL, display_name varchar(250) NOT NULL);
CREATE TABLE wp_usermeta (umeta_id integer PRIMARY KEY, user_id integer NOT NULL,
  meta_key varchar(190), meta_value text);
CREATE TABLE wp_posts (ID integer PRIMARY KEY, post_author integer NOT NULL, post_title text);
CREATE TABLE wp_postmeta (meta_id integer PRIMARY KEY, post_id integer NOT NULL,
  meta_key varchar(190), meta_value text);
CREATE TABLE wp_comments (comment_ID integer PRIMARY KEY, comment_post_ID integer NOT NULL,
  comment_author_email varchar(100) NOT NULL, comment_author_IP varchar(100) NOT NULL,
  user_id integer NOT NULL);
CREATE TABLE wp_commentmeta (meta_id integer PRIMARY KEY, comment_id integer NOT NULL,
  meta_key varchar(190), meta_value text);
CREATE TABLE wp_options (option_id integer PRIMARY KEY, option_name varchar(190), option_value text);
CREATE TABLE wp_terms (term_id integer PRIMARY KEY, name varchar(190), slug varchar(190))`;

await onEverySqlDatabase('a first plan', ({ query, database, connector }) => {
  async function make(sql: string) {
    for (const statement of sql.split(';\n')) await query(statement);
  }
  // PostgreSQL folds names that are not quoted.
  const name = (it: string) => (connector === 'postgres' ? it.toLowerCase() : it);

  it('a draft for a Rails application follows references that are only names', async () => {
    await make(RAILS);
    const { target, commentsOn, remarkOn } = await suggestFor(database());
    expect(target.draft).toBe(true);
    expect(target.tenant_column).toBe('account_id');
    expect(target.tables).toEqual([
      { table: 'comments', via: { users: { user_id: 'id' } } },
      { table: 'friendships', via: { users: { user_id: 'id' } } },
      {
        table: 'messages',
        via: { users: [{ sender_id: 'id' }, { recipient_id: 'id' }] },
        shared: 'hold',
      },
      { table: 'posts', via: { users: { user_id: 'id' } } },
      { table: 'users', match: { email: 'email' } },
    ]);
    expect(commentsOn('posts')).toContain('by its name; no foreign key says so');
    expect(commentsOn('comments')).toContain('#      - table: comments');
    expect(commentsOn('comments')).toContain('#        where: { commentable_type: User }');
    expect(commentsOn('messages')).toContain("a row may be two people's: hold, erase or keep");
    expect(commentsOn('friendships')).toContain('friend_id refers to no table by its name');
    expect(commentsOn('users')).toContain('rows that deleted_at marks as deleted');
    expect(commentsOn('users')).toContain(
      'what the controllers call their customers by: users by id?',
    );
    expect(remarkOn('accounts')).toContain('seems to be an organisation');
    expect(remarkOn('active_storage_attachments')).toContain('record_type says which table');
    expect(remarkOn('products')).toContain('created_by_id says who acted');
    expect(remarkOn('schema_migrations')).toContain('no column looks like personal data');
  });

  it('suggests a plan for a Django application, with payments that may have to be kept', async () => {
    await make(DJANGO);
    const { target, commentsOn, remarkOn, text } = await suggestFor(database());
    expect(target).not.toHaveProperty('tenant_column');
    expect(text).toContain('# controllers: [<controller_id>]');
    const unique = { unique: 'erased-{random}@example.invalid' };
    expect(target.tables).toEqual([
      { table: 'shop_orderline', via: { shop_order: { order_id: 'id' } } },
      {
        table: 'shop_payment',
        via: { shop_order: { order_id: 'id' } },
        action: { retain: expect.stringContaining('the law') },
      },
      {
        table: 'shop_order',
        match: { email: 'contact_email' },
        via: { shop_customer: { customer_id: 'id' } },
        shared: 'hold',
        action: { overwrite: { contact_email: null } },
      },
      { table: 'auth_user_groups', via: { auth_user: { user_id: 'id' } } },
      { table: 'django_admin_log', via: { auth_user: { user_id: 'id' } } },
      {
        table: 'shop_customer',
        via: { auth_user: { user_id: 'id' } },
        action: { overwrite: { phone: null } },
      },
      {
        table: 'auth_user',
        match: { email: 'email' },
        action: {
          overwrite: {
            email: unique,
            first_name: 'erased',
            password: 'erased',
            username: { unique: 'erased-{random}' },
          },
        },
      },
    ]);
    expect(commentsOn('shop_order')).toContain('since rows of shop_payment that stay refer to it');
    expect(commentsOn('django_admin_log')).toContain('content_type_id says which table object_id');
    expect(commentsOn('auth_user_groups')).not.toContain('?');
    expect(remarkOn('django_session')).toContain('session_data may hold anything');
    expect(remarkOn('auth_group')).toContain('no column looks like personal data');
    expect(await checkEdited(database(), text)).toEqual([]);
  });

  it('a draft for WordPress covers comments of guests', async () => {
    await make(WORDPRESS);
    const { target, commentsOn, remarkOn, text } = await suggestFor(database());
    const ofUsers = (table: string, column: string) => ({
      table,
      via: { wp_users: { [column]: name('ID') } },
    });
    expect(target.tables).toEqual([
      {
        table: 'wp_commentmeta',
        via: { wp_comments: { comment_id: name('comment_ID') } },
      },
      { table: 'wp_postmeta', via: { wp_posts: { post_id: name('ID') } } },
      {
        ...ofUsers('wp_comments', 'user_id'),
        match: { email: 'comment_author_email' },
        shared: 'hold',
      },
      ofUsers('wp_posts', 'post_author'),
      ofUsers('wp_usermeta', 'user_id'),
      { table: 'wp_users', match: { email: 'user_email' } },
    ]);
    expect(commentsOn('wp_comments')).toContain('a user_id of 0 counts as another person');
    expect(commentsOn('wp_comments')).toContain(
      `also refers to wp_posts by ${name('comment_post_ID')}, which is not used`,
    );
    expect(commentsOn('wp_usermeta')).toContain('meta_key and meta_value hold names and values');
    expect(remarkOn('wp_options')).toContain('option_name and option_value hold names and values');
    expect(remarkOn('wp_terms')).toContain('no column looks like personal data');
    expect(await checkEdited(database(), text)).toEqual([]);
  });
});
