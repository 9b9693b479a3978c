// The two connectors of a history: one like a module, one like a database. Honest unless a fault is set.

import { LEFT_OUT, recordCall } from '../../../src/connectors/erase-as-previewed.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import {
  type Connector,
  type EraseOrder,
  type EraseSteps,
  type Erasure,
  type KeyRow,
  NO_ANSWER,
  type Preview,
  type Subject,
  TargetDown,
  totalOf,
  type Verdict,
} from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { emailsOf, type Fault, idsOf, type Row, TABLE, type World } from './world.ts';

const LAYOUT = { [TABLE]: { columns: ['id'], keySize: 1, action: 'delete' } } as const;
const FAILED = { outcome: 'failed', code: 'busy', detail: 'the target is busy' } as const;
const HELD = { outcome: 'held', reason: 'shared', detail: 'a person has to decide' } as const;
const NEVER: readonly Fault[] = ['down', 'throws'];

export function createWorldConnector(
  world: World,
  { name: target, planDigest: place }: Pick<TargetConfig, 'name' | 'planDigest'>,
): Connector {
  const isDatabase = target === 'shop';
  const keysOf = (rows: readonly Row[]) => ({ [TABLE]: rows.map(({ id }): KeyRow => [id]) });
  const rowOf = (id: string) => world.rows.find((row) => row.id === id);
  const ordered = (order: EraseOrder) => idsOf(order).flatMap((id) => rowOf(id) ?? []);
  const isThere = ({ gone }: Row) => gone === undefined;

  function reach(): void {
    const fault = world.faultOf(target);
    if (fault === 'down') throw new TargetDown('unreachable', 'the target cannot be reached');
    if (NEVER.includes(fault)) throw new Error('this is not a TargetDown');
  }

  function previewAll(subjects: readonly Subject[]): Preview[] {
    const claimed = new Map<string, number>();
    return subjects.map((subject): Preview => {
      if (emailsOf(subject.identities).length === 0) return { outcome: 'unmatched' };
      if (world.faultOf(target) === 'holds') return HELD;
      const mine = world.matches(subject, target);
      const free = mine.filter(({ id }) => !claimed.has(id));
      const sharedWith = [...new Set(mine.flatMap(({ id }) => claimed.get(id) ?? []))];
      for (const { id } of free) claimed.set(id, subject.taskNo);
      return {
        outcome: 'found',
        counts: { [TABLE]: free.length },
        retained: {},
        sharedWith,
        keys: keysOf(free),
        ...(isDatabase && { layout: LAYOUT }),
      };
    });
  }

  /** Rows and the tasks that erase them, until the transaction commits; a module has none. */
  type Open = Map<Row, number>;

  function remove(open: Open, row: Row, taskNo: number): void {
    if (isDatabase) open.set(row, taskNo);
    else world.remove(row, taskNo);
  }

  function eraseOne(order: EraseOrder, open: Open): Erasure {
    const there = ordered(order).filter((row) => isThere(row) && !open.has(row));
    for (const row of there) remove(open, row, order.taskNo);
    return { outcome: 'erased', counts: { [TABLE]: there.length } };
  }

  function eraseAll(orders: readonly EraseOrder[], open: Open): Erasure[] {
    const fault = world.faultOf(target);
    if (fault === 'fails' || (isDatabase && fault === 'erases and fails')) {
      return orders.map(() => FAILED);
    }
    if (fault === 'short') return [];
    if (fault === 'lies') {
      for (const order of orders) world.lied.add(`${target} ${order.taskNo}`);
      return orders.map(({ counts }) => ({ outcome: 'erased', counts }));
    }
    if (fault === 'half') {
      if (!isDatabase) for (const order of orders.slice(0, 1)) removeHalf(order);
      throw new Error('it broke in the middle');
    }
    if (fault === 'grows') {
      for (const { controllerId, identities } of orders.slice(0, 1)) {
        world.add(target, controllerId, emailsOf(identities)[0] ?? '');
      }
      return orders.map(() => ({ outcome: 'grown' }));
    }
    const answers = orders.map((order) => eraseOne(order, open));
    return fault === 'erases and fails' ? orders.map(() => FAILED) : answers;
  }

  function removeHalf(order: EraseOrder): void {
    const there = ordered(order).filter(isThere);
    for (const row of there.slice(0, Math.ceil(there.length / 2))) world.remove(row, order.taskNo);
  }

  function verifyOne(order: EraseOrder): Verdict {
    const left = new Set([...ordered(order).filter(isThere), ...world.matches(order, target)]);
    return left.size === 0
      ? { outcome: 'gone', how: 'requeried' }
      : { outcome: 'remains', counts: { [TABLE]: left.size } };
  }

  async function commit(
    orders: readonly EraseOrder[],
    answers: readonly Erasure[],
    open: Open,
    record: EraseSteps['record'],
  ): Promise<boolean> {
    const transaction = `${place} ${++world.transactions}`;
    const erasures = answers.flatMap((erasure, index) => {
      const { taskNo } = orders[index] ?? {};
      return taskNo === undefined ? [] : [{ taskNo, erasure }];
    });
    if (!(await record({ name: transaction, erasures }))) return false;
    for (const [row, taskNo] of open) world.remove(row, taskNo);
    world.committed.add(transaction);
    return true;
  }

  async function carryOut(
    orders: readonly EraseOrder[],
    record: EraseSteps['record'],
  ): Promise<Erasure[]> {
    if (orders.length === 0) return [];
    world.noteCalls('erase', { target, place }, orders);
    const open: Open = new Map();
    if (!isDatabase && !(await recordCall(orders, record))) return orders.map(() => LEFT_OUT);
    const answers = eraseAll(orders, open);
    if (isDatabase && !(await commit(orders, answers, open, record)))
      return orders.map(() => LEFT_OUT);
    return answers;
  }

  return {
    ...(isDatabase && { isAtomic: true }),
    check: async () => [],
    async preview(subjects) {
      world.noteCalls('preview', { target, place }, subjects);
      reach();
      return previewAll(subjects);
    },
    async erase(subjects, { decide, record }) {
      world.noteCalls('preview', { target, place }, subjects);
      reach();
      const decided = decide(subjects, previewAll(subjects));
      const orders = decided.filter(({ counts }) => totalOf(counts) > 0);
      const answers = await carryOut(orders, record);
      const byTask = new Map<number, Erasure | undefined>(
        decided.map(({ taskNo }) => [taskNo, { outcome: 'erased', counts: {} }]),
      );
      for (const [index, { taskNo }] of orders.entries()) byTask.set(taskNo, answers[index]);
      return subjects.map(({ taskNo }) =>
        byTask.has(taskNo) ? (byTask.get(taskNo) ?? NO_ANSWER) : LEFT_OUT,
      );
    },
    async verify(orders) {
      world.noteCalls('verify', { target, place }, orders);
      reach();
      if (world.faultOf(target) === 'down after erasing') {
        throw new TargetDown('unreachable', 'the target cannot be reached any more');
      }
      return orders.map(verifyOne);
    },
    ...(isDatabase && {
      async gate() {
        reach();
        const message = 'the column is missing; add it';
        const problem = { level: 'problem', subject: 'customers.email', message } as const;
        const isRefused = world.faultOf(target) === 'refused';
        return { problems: isRefused ? [problem] : [], accepted: {} };
      },
      async endOf(names: readonly string[]) {
        reach();
        return names.map((one) => (world.committed.has(one) ? 'committed' : 'rolled_back'));
      },
      async resolve(subjects: readonly Subject[]) {
        world.noteCalls('resolve', { target, place }, subjects);
        reach();
        return subjects.map(({ identities }) => ({
          outcome: 'resolved' as const,
          identities: emailsOf(identities).slice(0, 1).map(otherEmail),
        }));
      },
    }),
    close: async () => undefined,
  };
}

/** What a lookup finds of everybody. */
function otherEmail(email: string): Identity {
  return new Identity('email', email.replace(/^(old\.)?/, 'old.'));
}
