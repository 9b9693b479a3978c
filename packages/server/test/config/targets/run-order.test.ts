import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError, loadConfig } from '../../../src/config/config.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

type Target = Readonly<Record<string, unknown>>;

/** By target: those that it runs after. */
function orderOf(targets: Readonly<Record<string, Target>>) {
  const folder = makeTemporaryFolder();
  try {
    const path = join(folder.path, 'unwrite.config.yaml');
    writeFileSync(path, stringify({ targets }));
    const { config } = loadConfig({ config: path }, {}, folder.path);
    return Object.fromEntries(
      config.targets.flatMap(({ name, runsAfter }) => (runsAfter ? [[name, runsAfter]] : [])),
    );
  } finally {
    folder.remove();
  }
}

function problemsOf(targets: Readonly<Record<string, Target>>): string {
  try {
    orderOf(targets);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  return '';
}

const at = (host: string, rest: Target): Target => ({
  connector: 'postgres',
  tenancy: 'none',
  url: `postgres://app:pw@${host}/app`,
  ...rest,
});

const BY_NUMBER = { match: { controller_customer_id: 'customer' } };
const BY_EMAIL = { match: { email: 'email' } };
const NUMBERS = {
  table: 'users',
  from: { email: 'email' },
  to: { controller_customer_id: 'id' },
};
const EMAILS = {
  table: 'contacts',
  from: { controller_customer_id: 'id' },
  to: { email: 'email' },
};
const SHOP = at('shop.example', { resolve: NUMBERS, tables: [{ table: 'users', ...BY_EMAIL }] });
const CRM = at('crm.example', { tables: [{ table: 'notes', ...BY_NUMBER }] });
const MAILS = at('mail.example', { tables: [{ table: 'subscribers', ...BY_EMAIL }] });
const ENDPOINT = { connector: 'http', url: 'https://events.example/erase' };

describe('a target that erases from the table of a lookup', () => {
  it('runs after all targets that use the looked-up identities', () => {
    const manual = { connector: 'manual' };
    expect(
      orderOf({ shop: SHOP, crm: CRM, mails: MAILS, events: ENDPOINT, paper: manual }),
    ).toEqual({ shop: ['crm', 'events'] });
  });

  it('may run in any order if it keeps the rows of that table', () => {
    const kept = { table: 'users', ...BY_EMAIL, action: { retain: 'contract' } };
    const orders = { table: 'orders', ...BY_NUMBER };
    const shop = at('shop.example', { resolve: NUMBERS, tables: [kept, orders] });
    expect(orderOf({ shop, crm: CRM })).toEqual({});
  });

  it('is any target that does so, by tables, cascades or the text of statements', () => {
    const lookup = at('shop.example', {
      resolve: NUMBERS,
      tables: [{ table: 'orders', ...BY_NUMBER }],
    });
    const accounts = at('shop.example', { tables: [{ table: 'public.users', ...BY_EMAIL }] });
    expect(orderOf({ lookup, accounts })).toEqual({ accounts: ['lookup'] });
    const cascading = at('shop.example', {
      tables: [{ table: 'people', ...BY_EMAIL }],
      cascades: ['users'],
    });
    expect(orderOf({ lookup, cascading })).toEqual({ cascading: ['lookup'] });
    const sql = {
      preview: 'SELECT count(*) FROM users WHERE email = :email',
      erase: ['DELETE FROM users WHERE email = :email'],
      verify: 'SELECT count(*) FROM users WHERE email = :email',
    };
    const statements = at('shop.example', { sql });
    expect(orderOf({ lookup, statements })).toEqual({ statements: ['lookup'] });
  });

  it('includes a target that empties a column of it, or whose statement sets several columns at once', () => {
    const lookup = at('shop.example', {
      resolve: NUMBERS,
      tables: [{ table: 'orders', ...BY_NUMBER }],
    });
    const people = at('shop.example', {
      tables: [{ table: 'people', ...BY_EMAIL }],
      detach: ['users.id'],
    });
    expect(orderOf({ lookup, people })).toEqual({ people: ['lookup'] });
    const sql = {
      preview: 'SELECT count(*) FROM users WHERE email = :email',
      erase: ['UPDATE users SET (name, email, id) = (NULL, NULL, NULL) WHERE email = :email'],
      verify: 'SELECT count(*) FROM users WHERE email = :email',
    };
    expect(orderOf({ lookup, statements: at('shop.example', { sql }) })).toEqual({
      statements: ['lookup'],
    });
  });

  it('comes last if others also erase from a table of that name', () => {
    const other = at('other.example', {
      tables: [
        { table: 'users', ...BY_EMAIL },
        { table: 'orders', ...BY_NUMBER },
      ],
    });
    expect(orderOf({ shop: SHOP, other })).toEqual({ shop: ['other'] });
  });

  it('comes before others that also erase from it and need no looked-up identity', () => {
    const orders = { table: 'orders', ...BY_NUMBER };
    const some = { table: 'users', ...BY_EMAIL, where: { kind: 1 } };
    const shop = at('shop.example', { resolve: NUMBERS, tables: [orders, some] });
    const accounts = at('shop.example', { tables: [{ ...some, where: { kind: 2 } }] });
    expect(orderOf({ accounts, shop })).toEqual({ accounts: ['shop'] });
  });

  it('runs after those that are found by what another lookup gives from there', () => {
    const contacts = at('crm.example', {
      resolve: EMAILS,
      tables: [{ table: 'notes', ...BY_NUMBER }],
    });
    expect(orderOf({ shop: SHOP, contacts, mails: MAILS })).toEqual({
      shop: ['contacts', 'mails'],
    });
  });

  it('does not wait for a target of other controllers', () => {
    const shop = { ...SHOP, tenancy: undefined, controllers: ['acme'] };
    const crm = { ...CRM, tenancy: undefined, controllers: ['globex'] };
    expect(orderOf({ shop, crm })).toEqual({});
  });
});

describe('"after"', () => {
  it('says which targets run before', () => {
    expect(orderOf({ crm: CRM, events: { ...ENDPOINT, after: ['crm'] } })).toEqual({
      events: ['crm'],
    });
  });

  it('decides against what follows from a lookup', () => {
    const events = { ...ENDPOINT, after: ['shop'] };
    expect(orderOf({ shop: SHOP, crm: CRM, events })).toEqual({
      shop: ['crm'],
      events: ['shop'],
    });
  });

  it('must name other targets', () => {
    expect(problemsOf({ crm: { ...CRM, after: ['shop'] } })).toContain(
      'targets.crm.after: there is no target shop',
    );
    expect(problemsOf({ crm: { ...CRM, after: ['crm'] } })).toContain(
      'targets.crm.after: names the target itself; leave it out',
    );
  });

  it('is checked beside other mistakes, and a target that cannot be read counts as one', () => {
    const problems = problemsOf({
      crm: { ...CRM, connector: 'mysq' },
      events: { ...ENDPOINT, after: ['crm', 'shp'] },
      shop: SHOP,
    });
    expect(problems).toContain('targets.crm.connector: must be one of');
    expect(problems).toContain('targets.events.after: there is no target shp; did you mean shop?');
    expect(problems).not.toContain('there is no target crm');
  });
});

describe('an order that is not possible', () => {
  const contacts = at('crm.example', {
    resolve: EMAILS,
    tables: [
      { table: 'contacts', ...BY_NUMBER },
      { table: 'notes', ...BY_EMAIL },
    ],
  });
  const shop = at('shop.example', {
    resolve: NUMBERS,
    tables: [
      { table: 'users', ...BY_EMAIL },
      { table: 'orders', ...BY_NUMBER },
    ],
  });

  it('is refused with what to write', () => {
    expect(problemsOf({ shop, contacts })).toContain(
      'targets.shop: no order of the targets is possible: shop after contacts after shop. A target that erases from the table of a "resolve" runs after those that are found by what is looked up there. List the tables in one target, remove a "resolve", or write "after: [contacts]" at shop, for example',
    );
    expect(orderOf({ shop: { ...shop, after: ['contacts'] }, contacts })).toEqual({
      shop: ['contacts'],
    });
  });

  const crm = at('crm.example', {
    resolve: { ...NUMBERS, table: 'contacts' },
    tables: [
      { table: 'contacts', ...BY_EMAIL },
      { table: 'notes', ...BY_NUMBER },
    ],
  });

  it('does not arise if both targets look up the same type themselves', () => {
    const mails = at('mail.example', { tables: [{ table: 'letters', ...BY_NUMBER }] });
    expect(orderOf({ shop, crm, mails })).toEqual({ shop: ['mails'], crm: ['mails'] });
  });

  it('takes nothing from what "after" says', () => {
    const mails = at('mail.example', {
      tables: [{ table: 'contacts', ...BY_EMAIL }],
      after: ['shop'],
    });
    expect(orderOf({ shop, crm, mails })).toEqual({ mails: ['shop'] });
  });

  it('is reported at the place where it is configured', () => {
    const targets = {
      a: { ...CRM, after: ['b'] },
      b: { ...MAILS, after: ['a'] },
    };
    expect(problemsOf(targets)).toContain(
      'targets.a.after: no order of the targets is possible: a after b after a',
    );
  });
});
