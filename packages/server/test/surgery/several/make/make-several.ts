import type {
  Change,
  DatabaseName,
  GeneratedRequest,
  GivenIdentity,
  Row,
} from '../../generated-case.ts';
import { createDice, type Dice } from '../../make/dice.ts';
import { keepConstraints } from '../../make/keep-constraints.ts';
import { PEOPLE, type Person } from '../../make/make-data.ts';
import { isImpossible } from '../judge/order.ts';
import type { Fault, SeveralCase, Step } from '../several-case.ts';
import { createMaker, type Maker } from './make-rows.ts';
import { makePlan, type Plan } from './make-tables.ts';
import { type Made, makeTargets } from './make-targets.ts';

/** Apart from the other cases of the same number. */
const OWN = 0x5eed;

export function makeSeveral(seed: number, caseNo: number, database: DatabaseName): SeveralCase {
  const dice = createDice(seed ^ OWN, caseNo);
  const plan = makePlan(dice);
  const made = makeOrdered(dice, plan);
  const people = choosePeople(dice, plan);
  const maker = createMaker(dice, plan, people);
  const rows: Record<string, Row[]> = {};
  /** What the second lookup gives leads back to the number that it was looked up by. */
  const leadBack = (): Row => {
    const [first] = people;
    const crm = made.tables.find(({ name }) => name === 'crm');
    if (first === undefined || crm === undefined) throw new Error('there is no chain');
    const email = `private-${first.email}`;
    return { ...maker.make(crm, first, rows), email, no: String(first.no) };
  };
  for (const table of made.tables) {
    const all = people.flatMap((person) =>
      Array.from({ length: countOf(dice) }, () => maker.make(table, person, rows)),
    );
    rows[table.name] = all;
    if (plan.isChained && table.name === 'crm' && dice.chance(0.5)) all.push(leadBack());
  }
  const kept = keepConstraints(database, made.tables, rows);
  const requests = makeRequests(dice, plan, people, made);
  return {
    database,
    tables: made.tables,
    targets: made.targets,
    rows: kept,
    requests,
    steps: makeSteps(dice, plan, made, maker, people, kept, requests),
  };
}

/** Mostly one that an order is possible for: the others are refused. */
function makeOrdered(dice: Dice, plan: Plan): Made {
  for (;;) {
    const made = makeTargets(dice, plan);
    if (!isImpossible(made) || dice.chance(0.1)) return made;
  }
}

const countOf = (dice: Dice) =>
  dice.weighted([
    [2, 0],
    [6, 1],
    [2, 2],
  ] as const);

/** Two of one tenant, and one of another who has the same number as the first. */
function choosePeople(dice: Dice, { tenancy }: Plan): Person[] {
  const controllerId = tenancy.way === 'controller' ? 'acme' : dice.one(['acme', 'globex']);
  const near = PEOPLE.filter((one) => one.controllerId === controllerId);
  const first = dice.one(near);
  const second = dice.one(near.filter((one) => one !== first));
  const far = PEOPLE.filter((one) => one.controllerId !== controllerId && one.no === first.no);
  return tenancy.way === 'column' && dice.chance(0.5) ? [first, second, ...far] : [first, second];
}

function makeRequests(
  dice: Dice,
  { isChained }: Plan,
  people: readonly Person[],
  { targets }: Made,
): GeneratedRequest[] {
  const [first] = people;
  if (first === undefined) throw new Error('there is nobody');
  const lookups = targets.flatMap(({ configuration }) => configuration.resolve ?? []);
  const requestOf = (person: Person): GeneratedRequest => {
    const email = { type: 'email', value: person.email } as const;
    const no = { type: 'controller_customer_id', value: String(person.no) } as const;
    const isByEmail = (isChained && dice.chance(0.7)) || dice.one(lookups).from.type === 'email';
    const from = isByEmail ? email : no;
    const identities = dice.chance(0.85) ? [from] : [email, no];
    return { controllerId: person.controllerId, identities };
  };
  const one = requestOf(first);
  if (!dice.chance(0.35)) return [one];
  return [one, requestOf(dice.chance(0.5) ? first : dice.one(people))];
}

function makeSteps(
  dice: Dice,
  { isChained }: Plan,
  made: Made,
  maker: Maker,
  people: readonly Person[],
  rows: Readonly<Record<string, readonly Row[]>>,
  requests: readonly GeneratedRequest[],
): Step[] {
  const changes = () =>
    (isChained && dice.chance(0.4) ? correctFirst(dice, maker, people, rows) : undefined) ??
    makeChange(dice, made, maker, people, rows);
  const steps: Step[] = [{ does: 'receive', request: 0 }];
  if (requests.length > 1 && dice.chance(0.5)) steps.push({ does: 'receive', request: 1 });
  const isLooked = dice.chance(0.8);
  // Mostly all lookups are made before anything happens.
  const lookups = made.targets.filter(({ configuration }) => configuration.resolve !== null);
  const rounds = isChained ? 3 : 1;
  if (isLooked)
    for (let left = rounds * lookups.length; left > 0; left -= 1) steps.push(runOf(dice, 'none'));
  for (let left = dice.upTo(7); left > 0; left -= 1) {
    steps.push(
      dice.weighted<() => Step>([
        [10, () => runOf(dice, faultOf(dice), changes, isChained ? 0.5 : 0.25)],
        [4, () => ({ does: 'change', changes: changes() })],
        [1.5, () => ({ does: 'release' })],
        [0.4, () => ({ does: 'retain' })],
        [0.8, () => identifyOf(dice, people, requests)],
        [2, () => ({ does: 'wait' })],
      ])(),
    );
    if (requests.length > 1 && dice.chance(0.15)) steps.push({ does: 'receive', request: 1 });
  }
  return steps;
}

/** `between`: how often something changes before the erasing. */
function runOf(dice: Dice, fault: Fault, changes?: () => Change[], between = 0.25): Step {
  const often = (chance: number) => changes !== undefined && dice.chance(chance);
  return {
    does: 'run',
    pick: dice.upTo(2),
    fault,
    between: often(between) ? (changes?.() ?? []) : [],
    afterwards: often(0.08) ? (changes?.() ?? []) : [],
    meanwhile: often(0.12) ? dice.upTo(2) : null,
  };
}

const faultOf = (dice: Dice): Fault =>
  dice.weighted<Fault>([
    [10, 'none'],
    [1, 'killed after the intent'],
    [1, 'killed before erasing'],
    [2, 'killed after erasing'],
    [1, 'killed after verifying'],
    [1, 'down'],
    [1, 'others down'],
  ]);

function identifyOf(
  dice: Dice,
  people: readonly Person[],
  requests: readonly GeneratedRequest[],
): Step {
  const [person] = people;
  const identity: GivenIdentity = dice.chance(0.5)
    ? { type: 'email', value: `private-${person?.email}` }
    : { type: 'controller_customer_id', value: String(dice.chance(0.6) ? person?.no : 21) };
  return { does: 'identify', request: dice.upTo(requests.length - 1), identity };
}

/** Of a chain: the number that all others were looked up by was a mistake. */
function correctFirst(
  dice: Dice,
  maker: Maker,
  [first, second]: readonly Person[],
  rows: Readonly<Record<string, readonly Row[]>>,
): Change[] | undefined {
  const rid = rows.crm?.find(({ email }) => email === first?.email)?.rid;
  if (rid === undefined || rid === null) return undefined;
  const no = dice.chance(0.6) ? maker.fresh() : String(second?.no);
  return [{ does: 'update', table: 'crm', rid, values: { no } }];
}

/** Mostly about lookups: a row is corrected, given to another person, gone; or a number used again. */
function makeChange(
  dice: Dice,
  { tables, targets }: Made,
  maker: Maker,
  people: readonly Person[],
  rows: Readonly<Record<string, readonly Row[]>>,
): Change[] {
  const looked = targets.flatMap(({ configuration }) => configuration.resolve?.table ?? []);
  const name = dice.chance(0.65) ? dice.one(looked) : dice.one(tables).name;
  const table = tables.find((one) => one.name === name);
  if (table === undefined) return [];
  const there = rows[name] ?? [];
  const [first] = people;
  const mine = there.filter(
    (row) => row.email === first?.email || [row.no, row.customer].includes(String(first?.no)),
  );
  const kind = dice.weighted([
    [there.length === 0 ? 0 : 4, 'change'],
    [there.length === 0 ? 0 : 2, 'delete'],
    [3, 'insert'],
    [there.length === 0 ? 0 : 1, 'hand over'],
  ] as const);
  const made = maker.make(table, dice.one(people), rows);
  if (kind === 'insert') {
    const isFresh = 'no' in made && dice.chance(0.4);
    const row = isFresh ? { ...made, no: maker.fresh() } : made;
    return [{ does: 'insert', table: name, row }];
  }
  const { rid } = dice.one(mine.length > 0 && dice.chance(0.8) ? mine : there);
  const at = { table: name, rid: rid ?? '' };
  if (kind === 'delete') return [{ does: 'delete', ...at }];
  const columns = ['email', 'no', 'customer', 'other_email'].filter((column) => column in made);
  if (columns.length === 0) return [{ does: 'delete', ...at }];
  const values =
    kind === 'hand over'
      ? Object.fromEntries(columns.map((column) => [column, made[column] ?? null]))
      : { [dice.one(columns)]: null };
  const [column] = Object.keys(values);
  if (kind === 'change' && column !== undefined && dice.chance(0.8)) {
    const isNumber = column === 'no' || column === 'customer';
    const value = isNumber && dice.chance(0.5) ? maker.fresh() : (made[column] ?? null);
    return [{ does: 'update', ...at, values: { [column]: value } }];
  }
  return [{ does: 'update', ...at, values }];
}
