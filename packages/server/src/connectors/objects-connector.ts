// Targets that keep objects, each with a key: what such a connector gives is how a person's are found and erased. Each call is
// recorded before it is made, and afterwards they are looked for again.
import { byName } from '../domain/by-name.ts';
import {
  type CheckLine,
  type Connector,
  type Counts,
  type EraseOrder,
  type Erasure,
  type Failed,
  type Held,
  type KeyRow,
  type Keys,
  type Preview,
  type Subject,
  TargetDown,
  totalOf,
  type Verdict,
} from '../domain/target/connector.ts';
import type { ServiceNote } from '../domain/target/other-sides.ts';
import type { FindsObjects } from '../domain/target/target.ts';
import type { TargetCommon } from '../domain/target/target-common.ts';
import { eraseByCall } from './erase-as-previewed.ts';

export interface Kind {
  readonly name: string;
  /** Types of identities that find such objects. */
  readonly types: readonly Subject['identities'][number]['type'][];
}

/** One person cannot be dealt with; others may be. The answer is in our own words. */
export class CannotDeal extends Error {
  override readonly name = 'CannotDeal';
  readonly answer: Held | Failed;

  constructor(answer: Held | Failed) {
    super(answer.detail);
    this.answer = answer;
  }
}

/** Each function may throw CannotDeal, and TargetDown. */
export interface Objects<K extends Kind = Kind> {
  readonly kinds: readonly K[];
  readonly note?: ServiceNote;
  check(): Promise<CheckLine[]>;
  /** Before each batch, and to see whether the target is away or only refuses the object of one person. */
  begin?(): Promise<void>;
  /** Keys of the objects that the person has now, and of those of these keys that are there. */
  find(kind: K, subject: Subject, known: readonly KeyRow[]): Promise<KeyRow[]>;
  /** How many of them were there. */
  erase(kind: K, keys: readonly KeyRow[]): Promise<number>;
  close(): void;
}

export function createObjectsConnector<K extends Kind>(
  { whenUnmatched, lookedUpFrom = {} }: Pick<TargetCommon, 'whenUnmatched'> & FindsObjects,
  objects: Objects<K>,
): Connector {
  const { kinds, note } = objects;

  async function findAll(subject: Subject, within: readonly K[], known: Keys): Promise<Keys> {
    const found: [string, readonly KeyRow[]][] = [];
    for (const kind of within) {
      const keys = await objects.find(kind, subject, known[kind.name] ?? []);
      if (keys.length > 0) found.push([kind.name, keys]);
    }
    return byName(found);
  }

  /** It was looked up, and the person has no such id: there is nothing that could have it. */
  function hasNone({ types }: K, { identities }: Subject): boolean {
    return types.every((type) => {
      const from = lookedUpFrom[type];
      return from !== undefined && identities.some((one) => one.type === from);
    });
  }

  async function previewOne(subject: Subject): Promise<Preview> {
    const [usable, others] = byUse(kinds, subject);
    const blind = others.filter((kind) => !hasNone(kind, subject));
    if (usable.length === 0 && blind.length > 0) return { outcome: 'unmatched' };
    const names = blind.map(({ name }) => name);
    if (names.length > 0 && whenUnmatched === 'hold')
      return {
        outcome: 'held',
        reason: 'no_usable_identity',
        detail: `${names.join(' and ')} cannot be searched by the identities of the request`,
      };
    const keys = await findAll(subject, usable, subject.called?.keys ?? byName());
    return {
      outcome: 'found',
      counts: countsOf(keys),
      retained: byName(),
      keys,
      ...(names.length > 0 && { skipped: names }),
      sharedWith: [],
    };
  }

  async function preview(subjects: readonly Subject[]): Promise<Preview[]> {
    if (subjects.length === 0) return [];
    await objects.begin?.();
    return oneByOne(subjects, previewOne);
  }

  async function eraseOne({ keys }: EraseOrder): Promise<Erasure> {
    const erased: [string, number][] = [];
    for (const kind of kinds) {
      const own = keys[kind.name] ?? [];
      const count = own.length === 0 ? 0 : await objects.erase(kind, own);
      if (count > 0) erased.push([kind.name, count]);
    }
    return { outcome: 'erased', counts: byName(erased) };
  }

  async function verifyOne(order: EraseOrder): Promise<Verdict> {
    const [usable, blind] = byUse(kinds, order);
    const known = blind.filter(({ name }) => order.keys[name] !== undefined);
    const counts = countsOf(await findAll(order, [...usable, ...known], order.keys));
    if (totalOf(counts) > 0) return { outcome: 'remains', counts };
    return { outcome: 'gone', how: 'requeried', ...(note !== undefined && { service: note }) };
  }

  /**
   * Undefined where the target as a whole is away. The object of one person may be refused, or break the service: where that
   * still answers for itself, the others go on.
   */
  async function ofOne(error: unknown): Promise<Held | Failed | undefined> {
    if (error instanceof CannotDeal) return error.answer;
    if (!(error instanceof TargetDown)) throw error;
    if (objects.begin === undefined || error.code === 'rate_limited') return undefined;
    try {
      await objects.begin();
      return { outcome: 'failed', code: error.code, detail: error.message };
    } catch (again) {
      if (!(again instanceof TargetDown)) throw again;
      return undefined;
    }
  }

  async function oneByOne<S, T>(
    subjects: readonly S[],
    work: (subject: S) => Promise<T>,
  ): Promise<(T | Held | Failed)[]> {
    const answers: (T | Held | Failed)[] = [];
    for (const subject of subjects)
      answers.push(
        await work(subject).catch(async (error: unknown) => {
          const answer = await ofOne(error);
          if (answer === undefined) throw error;
          return answer;
        }),
      );
    return answers;
  }

  /** People who were erased before the target went away are not repeated, and those after it were not touched. */
  async function untilDown(orders: readonly EraseOrder[]): Promise<Erasure[]> {
    const answers: Erasure[] = [];
    let down: TargetDown | undefined;
    for (const order of orders) {
      if (down !== undefined) {
        answers.push({ outcome: 'failed', code: down.code, detail: down.message, isVoid: true });
        continue;
      }
      const answer = await eraseOne(order).catch(async (error: unknown): Promise<Erasure> => {
        const own = await ofOne(error);
        if (own !== undefined) return { ...own, mayHaveErased: true };
        down = error as TargetDown;
        return { outcome: 'failed', code: down.code, detail: down.message, mayHaveErased: true };
      });
      answers.push(answer);
    }
    return answers;
  }

  return {
    check: () => objects.check(),
    preview,
    erase: eraseByCall(preview, untilDown),
    verify: (orders) => oneByOne(orders, verifyOne),
    close: async () => objects.close(),
  };
}

/** Kinds that the person's identities can find, and the others. */
function byUse<K extends Kind>(kinds: readonly K[], { identities }: Subject): [K[], K[]] {
  const given = new Set(identities.map(({ type }) => type));
  const isUsable = ({ types }: K) => types.some((type) => given.has(type));
  return [kinds.filter(isUsable), kinds.filter((kind) => !isUsable(kind))];
}

function countsOf(keys: Keys): Counts {
  return byName(Object.entries(keys).map(([name, rows]): [string, number] => [name, rows.length]));
}
