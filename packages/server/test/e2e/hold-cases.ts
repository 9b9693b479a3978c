// A target for every reason for which a task is held, called like it: how the task comes into that hold, what
// its message must say, and what an operator does who does what it says.
import type { HoldReason } from '../../src/domain/target/connector.ts';

/** Others: fulfilment/intent/asked-ends.test.ts (transaction_open), connectors/opendsr/forwarding.test.ts. */
export type HeldFor =
  | Exclude<HoldReason, 'transaction_open' | 'refused_elsewhere'>
  | 'retained_before'
  | 'legal_hold';

type Target = Readonly<Record<string, unknown>>;

/** What an operator has at hand. */
export interface Operator {
  /** In the target's own file. */
  sql(statement: string): void;
  /** `unwrite …`, about the task. */
  release(): Promise<void>;
  retain(): Promise<void>;
  identify(option: string, value: string): Promise<void>;
  confirm(target?: string): Promise<void>;
  untilHeldFor(reason: HeldFor): Promise<void>;
  placeLegalHold(): Promise<void>;
  liftLegalHold(): Promise<void>;
}

export interface HoldCase {
  /** It needs a request of its own, as what is done changes the whole request. */
  readonly isAlone?: true;
  readonly schema?: string;
  /** Of the target, without what all have. */
  readonly target: Target;
  /** Beside it, for the same controller. */
  readonly beside?: Target;
  /** With the second start: null, it is not in the file any more. */
  readonly second?: Target | null;
  /** As the message says; with the third start. */
  readonly corrected?: Target;
  /** Before the request comes, and afterwards, until it is held. */
  prepare?(operator: Operator): void;
  intoHold?(operator: Operator): Promise<void>;
  /** What its message tells to do. */
  readonly says: RegExp;
  /** Does it. */
  wayOut(operator: Operator): Promise<void>;
  /** Of the tables, when the request is completed. */
  readonly left?: Readonly<Record<string, number>>;
}

const PEOPLE = `CREATE TABLE people (id INTEGER PRIMARY KEY, account TEXT, email TEXT, code TEXT);
  INSERT INTO people VALUES (1, NULL, 'jane@x.org', 'J-1'), (2, NULL, 'joe@x.org', 'J-2');`;
/** Of the controllers with a request of their own: where a tenant tells whose rows are whose, they have some, too. */
const OTHERS = `INSERT INTO people (account) VALUES
  ('too_many_resolved'), ('lookup_removed'), ('unproven_identity'), ('retained_before'), ('legal_hold');`;
const ORDERS = `${PEOPLE} CREATE TABLE orders (id INTEGER PRIMARY KEY, account TEXT, person TEXT);`;
const people = { table: 'people', match: { email: 'email' } };
const orders = { table: 'orders', via: { people: { person: 'id' } } };
const onlyJoe = { people: 1 };

const release = (operator: Operator) => operator.release();

const statements = (erased: string): Target => ({
  sql: {
    preview: 'SELECT count(*) FROM people WHERE email = :email',
    erase: `DELETE FROM people WHERE ${erased} = :email`,
    verify: 'SELECT count(*) FROM people WHERE email = :email',
  },
});

const resolve = {
  table: 'people',
  from: { email: 'email' },
  to: { controller_customer_id: 'code' },
};
const resolving = (limit: number): Target => ({
  resolve: { ...resolve, limit },
  tables: [{ table: 'people', match: { email: 'email', controller_customer_id: 'code' } }],
});

export const HOLD_CASES: Readonly<Record<HeldFor, HoldCase>> = {
  over_cap: {
    schema: `${PEOPLE} INSERT INTO people (email) VALUES ('jane@x.org');`,
    target: { tables: [people], max_rows_per_subject: 1 },
    says: /if they are right, release/,
    wayOut: release,
    left: onlyJoe,
  },
  preview_mode: {
    schema: PEOPLE,
    target: { tables: [people], mode: 'preview' },
    says: /if they are right, release/,
    wayOut: release,
    left: onlyJoe,
  },
  unknown_tenant: {
    schema: `${PEOPLE} ${OTHERS}`,
    target: { tenant_column: 'account', controllers: undefined, tables: [people] },
    says: /no row of any table has the tenant .* release: then it is not found/,
    wayOut: release,
    left: { people: 7 },
  },
  more_than_previewed: {
    schema: PEOPLE,
    target: { tables: [people], mode: 'preview' },
    async intoHold({ sql, untilHeldFor, release: go }) {
      await untilHeldFor('preview_mode');
      sql("INSERT INTO people (email) VALUES ('jane@x.org')");
      await go();
    },
    says: /find out why, then release/,
    wayOut: release,
    left: onlyJoe,
  },
  unplanned_change: {
    schema: `${PEOPLE}
      CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id));
      INSERT INTO notes VALUES (1, 1), (2, 2);`,
    target: { tables: [people] },
    corrected: { tables: [{ table: 'notes', via: { people: { person: 'id' } } }, people] },
    says: /declare the table that refers under "tables".* then release/,
    wayOut: release,
    left: { ...onlyJoe, notes: 1 },
  },
  not_overwritten: {
    schema: `${PEOPLE} UPDATE people SET code = 'no JSON';`,
    target: {
      tables: [
        { ...people, action: { overwrite: { email: null, code: { json: { '$.a': null } } } } },
      ],
    },
    corrected: { tables: [{ ...people, action: { overwrite: { email: null, code: null } } }] },
    says: /reload, then release|then release/,
    wayOut: release,
    left: { people: 2 },
  },
  statements_disagree: {
    schema: PEOPLE,
    target: statements('code'),
    corrected: statements('email'),
    says: /correct the statements.* reload, then release/,
    wayOut: release,
    left: onlyJoe,
  },
  ambiguous_reference: {
    schema: `${ORDERS} INSERT INTO orders VALUES (1, NULL, '01'), (2, NULL, '2');`,
    target: { tables: [orders, people] },
    says: /write both alike.* then release/,
    async wayOut({ sql, release: go }) {
      sql("UPDATE orders SET person = '1' WHERE id = 1");
      await go();
    },
    left: { ...onlyJoe, orders: 1 },
  },
  tenant_mismatch: {
    schema: `${ORDERS}
      UPDATE people SET account = 'acme';
      ${OTHERS}
      INSERT INTO orders VALUES (1, NULL, '1'), (2, 'acme', '2');`,
    target: { tenant_column: 'account', controllers: undefined, tables: [orders, people] },
    says: /correct the data, then release, or leave rows without a tenant out \(where: .*\), reload, then release, or retain the task/,
    async wayOut({ sql, release: go }) {
      sql("UPDATE orders SET account = 'acme' WHERE id = 1");
      await go();
    },
    left: { people: 6, orders: 1 },
  },
  shared: {
    schema: `${PEOPLE}
      CREATE TABLE friends (id INTEGER PRIMARY KEY, one INTEGER, other INTEGER);
      INSERT INTO friends VALUES (1, 1, 2);`,
    target: { tables: [friendsOf({}), people] },
    corrected: { tables: [friendsOf({ shared: 'erase' }), people] },
    says: /say "shared: erase" or "shared: keep" for friends.* then release, or retain/,
    wayOut: release,
    left: { ...onlyJoe, friends: 0 },
  },
  orphaned: {
    schema: `${ORDERS} INSERT INTO orders VALUES (1, NULL, '1'), (2, NULL, '2');`,
    target: { tables: [orders, people], mode: 'preview' },
    // Staff delete the person after an operator has seen what there was.
    async intoHold({ sql, untilHeldFor, release: go }) {
      await untilHeldFor('preview_mode');
      sql('DELETE FROM people WHERE id = 1');
      await go();
    },
    says: /delete it or link it to another person, then release, or retain/,
    async wayOut({ sql, release: go }) {
      sql('DELETE FROM orders WHERE id = 1');
      await go();
    },
    left: { ...onlyJoe, orders: 1 },
  },
  too_many_resolved: {
    isAlone: true,
    schema: `${PEOPLE}
      INSERT INTO people (email, code) VALUES ('jane@x.org', 'J-3'), ('other@x.org', 'J-3');`,
    target: resolving(1),
    corrected: resolving(20),
    says: /raise "limit" of "resolve", reload and release: it is looked up again\. Or add the right ones \(unwrite request identify\), then release/,
    wayOut: release,
    left: onlyJoe,
  },
  lookup_removed: {
    isAlone: true,
    schema: PEOPLE,
    target: { ...resolving(20), file: './later.db' },
    second: { tables: [people] },
    corrected: resolving(20),
    says: /put "resolve" back on every node and reload, then release, and it is looked up/,
    wayOut: release,
    left: onlyJoe,
  },
  unproven_identity: {
    isAlone: true,
    schema: `${ORDERS} INSERT INTO orders VALUES (1, NULL, 'J-1'), (2, NULL, 'J-9');`,
    target: {
      resolve,
      mode: 'preview',
      tables: [{ table: 'orders', match: { controller_customer_id: 'person' } }, people],
    },
    async intoHold({ untilHeldFor, sql, release: go }) {
      await untilHeldFor('preview_mode');
      sql("UPDATE people SET code = 'J-9' WHERE id = 1");
      await go();
    },
    says: /correct the data and release: it is looked up anew, and where it is not given then, these rows stay and the receipt says so/,
    async wayOut({ release: go, untilHeldFor }) {
      await go();
      await untilHeldFor('preview_mode');
      await go();
    },
    left: { ...onlyJoe, orders: 1 },
  },
  no_usable_identity: {
    schema: PEOPLE,
    target: { tables: [{ table: 'people', match: { controller_customer_id: 'code' } }] },
    corrected: {
      when_unmatched: 'skip',
      tables: [{ table: 'people', match: { controller_customer_id: 'code' } }],
    },
    says: /add one \(unwrite request identify\), or .*"when_unmatched: skip".* reload and release/,
    wayOut: release,
    left: { people: 2 },
  },
  manual: {
    target: { connector: 'manual' },
    says: /unwrite manual confirm/,
    wayOut: ({ confirm }) => confirm(),
  },
  target_removed: {
    target: { tables: [people], file: './later.db' },
    second: null,
    corrected: { tables: [people] },
    schema: PEOPLE,
    says: /put it back.* reload, then release; or retain/,
    wayOut: release,
    left: onlyJoe,
  },
  retained_before: {
    isAlone: true,
    schema: `${PEOPLE} INSERT INTO people (email, code) VALUES ('jane.doe@x.org', 'J-4');`,
    target: { tables: [people], mode: 'preview' },
    // Keeps the request open.
    beside: { connector: 'manual' },
    async intoHold({ untilHeldFor, retain, identify }) {
      await untilHeldFor('preview_mode');
      await retain();
      await identify('--email', 'jane.doe@x.org');
    },
    says: /release, or retain again/,
    async wayOut({ release: go, confirm, untilHeldFor }) {
      await go();
      // With more rows than it was retained for, in a target that only counts.
      await untilHeldFor('preview_mode');
      await go();
      await confirm('retained_before_beside');
    },
    left: onlyJoe,
  },
  legal_hold: {
    isAlone: true,
    schema: PEOPLE,
    // There is no such table: the hold comes before it is corrected.
    target: { tables: [{ ...people, table: 'persons' }] },
    corrected: { tables: [people] },
    intoHold: (operator) => operator.placeLegalHold(),
    says: /nothing is erased, by hand or otherwise, until it is lifted or ends/,
    wayOut: (operator) => operator.liftLegalHold(),
    left: onlyJoe,
  },
};

function friendsOf(more: Target): Target {
  return { table: 'friends', via: { people: [{ one: 'id' }, { other: 'id' }] }, ...more };
}

/** `failing`: it says that it could not, and whether it did is not known. */
export const moduleSource = (isFailing: boolean): string => `
export default () => ({
  check: async () => [],
  preview: async (subjects) => subjects.map(() => ({ outcome: 'found', counts: { files: 1 } })),
  erase: async (orders) => orders.map(() => (${
    isFailing
      ? "{ outcome: 'failed', code: 'share_offline' }"
      : "{ outcome: 'erased', counts: { files: 1 } }"
  })),
  verify: async (orders) => orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
  close: async () => undefined,
});
`;
