// At most two connections for each target, opened when needed, closed when idle, replaced when broken. No
// statement is waited for longer than its deadline.
import { TargetDown } from '../../domain/target/connector.ts';
import { TARGET_REFUSED } from '../../domain/target/target-refused.ts';
import {
  type SqlDatabase,
  SqlFailure,
  type SqlResult,
  type SqlSession,
  type SqlValue,
  type TransactionKind,
} from './session.ts';

const MAX_CONNECTIONS = 2;
const IDLE_MS = 30_000;
/** Limit for opening a connection and setting up its session, and for ending one. */
const OPEN_MS = 30_000;
const END_MS = 5000;
/** Added to the server's own timeouts: a server that keeps them answers earlier. */
const GRACE_MS = 5000;

/** Maximum size of the answer to one statement, which the driver holds in memory. Far more than any batch needs. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 100;

export interface Connection {
  query(sql: string, values: readonly SqlValue[]): Promise<SqlResult>;
  /** Begins a transaction of this kind, with the target's timeouts. */
  begin(kind: TransactionKind): Promise<void>;
  /** Bytes received from the server so far; absent for SQLite files, which have no server. */
  readonly receivedBytes?: () => number;
  /** The connection is lost, or its file has been replaced. */
  isBroken(): boolean;
  /** Ends it at once, even while it is busy. */
  destroy(): void;
  end(): Promise<void>;
}

export interface PoolOptions {
  /** Host and port, or the file: named in messages about a target that cannot be used. */
  readonly where: string;
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  open(): Promise<Connection>;
}

export function createConnectionPool(options: PoolOptions): SqlDatabase {
  const deadline = options.statementTimeout + options.lockTimeout + GRACE_MS;
  const idle = new Map<Connection, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let inUse = 0;
  let isClosed = false;
  let current = new WeakSet<Connection>();

  async function take(): Promise<Connection> {
    while (inUse >= MAX_CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
    inUse++;
    for (const [connection, timer] of idle) {
      clearTimeout(timer);
      idle.delete(connection);
      if (!connection.isBroken()) return connection;
      connection.destroy();
    }
    try {
      const connection = await openInTime();
      current.add(connection);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** A connection that opens too late is closed again. */
  async function openInTime(): Promise<Connection> {
    const opening = named(options.where, options.open());
    let isLate = false;
    opening.then((connection) => isLate && connection.destroy()).catch(() => undefined);
    return within(OPEN_MS, opening, () => {
      isLate = true;
      return new TargetDown(
        'timeout',
        `${options.where}: the target did not open a connection within ${OPEN_MS} ms`,
      );
    });
  }

  async function end(connection: Connection): Promise<void> {
    const late = () => new Error('the connection did not end');
    await within(END_MS, connection.end(), late).catch(() => connection.destroy());
  }

  function leave(): void {
    inUse--;
    waiting.shift()?.();
  }

  function giveBack(connection: Connection): void {
    if (connection.isBroken() || isClosed || !current.has(connection)) connection.destroy();
    else {
      const timer = setTimeout(() => {
        idle.delete(connection);
        void end(connection);
      }, IDLE_MS);
      idle.set(connection, timer.unref());
    }
    leave();
  }

  function renew(): void {
    current = new WeakSet();
    for (const [connection, timer] of idle) {
      clearTimeout(timer);
      void end(connection);
    }
    idle.clear();
  }

  function bounded<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    return within(deadline, named(options.where, limited(connection, work)), () => {
      connection.destroy();
      return new TargetDown(
        'timeout',
        `${options.where}: the target did not answer within ${deadline} ms, so the connection was cut`,
      );
    });
  }

  /** Cuts an endless answer before it fills the memory. */
  async function limited<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    const { receivedBytes } = connection;
    if (receivedBytes === undefined) return work();
    const { promise: tooMuch, reject } = Promise.withResolvers<never>();
    const before = receivedBytes();
    const timer = setInterval(() => {
      if (receivedBytes() - before <= MAX_ANSWER_BYTES) return;
      connection.destroy();
      reject(
        new TargetDown(
          'answer_too_large',
          'the target answered a statement with more than 256 MiB, so the connection was cut; lower batch_size',
        ),
      );
    }, LOOK_MS);
    try {
      return await Promise.race([work(), tooMuch]);
    } finally {
      clearInterval(timer);
    }
  }

  return {
    get isInUse() {
      return inUse > 0;
    },
    renew,
    async transaction(kind, work) {
      const connection = await take();
      const query: SqlSession['query'] = (sql, values = []) =>
        bounded(connection, () => connection.query(sql, values));
      // A statement that is still running when the work has ended must not run after its transaction.
      let isOver = false;
      const session: SqlSession = {
        query: async (sql, values) => {
          if (isOver) throw new Error('the transaction has ended');
          return query(sql, values);
        },
      };
      let hasBegun = false;
      try {
        await bounded(connection, () => connection.begin(kind));
        hasBegun = true;
        const result = await work(session);
        isOver = true;
        if (connection.isBroken()) throw lostBefore(options.where);
        await query('COMMIT');
        return result;
      } catch (error) {
        isOver = true;
        if (error instanceof TargetDown && error.code === TARGET_REFUSED) renew();
        await query('ROLLBACK').catch((failure) => {
          // SQLite reports an error if no transaction had begun; other errors do not matter either.
          if (hasBegun || !(failure instanceof SqlFailure)) connection.destroy();
        });
        throw error;
      } finally {
        giveBack(connection);
      }
    },
    async close() {
      isClosed = true;
      const connections = [...idle];
      idle.clear();
      for (const [connection, timer] of connections) {
        clearTimeout(timer);
        await end(connection);
      }
    },
  };
}

/** An operator with several databases must see which one is meant. */
function named<T>(where: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof TargetDown)) throw error;
    throw new TargetDown(error.code, `${where}: ${error.message}`);
  });
}

function lostBefore(where: string): TargetDown {
  return new TargetDown(
    'unreachable',
    `${where}: the connection was lost, or its file replaced by another, before the transaction was committed`,
  );
}

function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
