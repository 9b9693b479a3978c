// A service that a recipe describes. Before an object is erased, each place where it can be is looked at, and all of them
// are looked at again afterwards: every step can be repeated.
import { byName } from '../../domain/by-name.ts';
import type { Values } from '../../domain/recipe/placeholders.ts';
import type { Place, RecipeObject } from '../../domain/recipe/recipe.ts';
import {
  type Connector,
  type Counts,
  type EraseOrder,
  type Erasure,
  type Failed,
  type KeyRow,
  type Keys,
  type Preview,
  type Subject,
  TargetDown,
  totalOf,
  type Verdict,
} from '../../domain/target/connector.ts';
import type { RestTargetConfig } from '../../domain/target/target.ts';
import { eraseByCall } from '../erase-as-previewed.ts';
import { checkService, proveAccount } from './check-service.ts';
import { findObjects } from './find-objects.ts';
import { createService, type ServiceDeps, Unexpected } from './service.ts';

export function createRestConnector(config: RestTargetConfig, deps: ServiceDeps = {}): Connector {
  const { recipe } = config;
  const service = createService(config, deps);

  /** A statement of absence counts before one of presence: it is the narrower one. */
  async function has({ look, has, lacks }: Place, values: Values): Promise<boolean> {
    const { as } = await service.ask({ call: look, values }, { lacks, has });
    return as === 'has';
  }

  /** Of these objects those that are in some place. */
  async function existing(object: RecipeObject, keys: readonly KeyRow[]): Promise<KeyRow[]> {
    const there: KeyRow[] = [];
    for (const key of keys) {
      for (const place of object.places) {
        if (!(await has(place, valuesOf(object, key)))) continue;
        there.push(key);
        break;
      }
    }
    return there;
  }

  /** All that the person has, by identity and by the keys that are known. */
  async function objectsOf(
    { identities }: Pick<Subject, 'identities'>,
    objects: readonly RecipeObject[],
    known: Keys = byName(),
  ): Promise<Keys> {
    const found: [string, readonly KeyRow[]][] = [];
    for (const object of objects) {
      const keys = [
        ...(known[object.name] ?? []),
        ...(await findObjects(service, object, identities)),
      ];
      const each = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
      const there = await existing(object, each);
      if (there.length > 0) found.push([object.name, there]);
    }
    return byName(found);
  }

  async function previewOne(subject: Subject): Promise<Preview> {
    const types = new Set(subject.identities.map(({ type }) => type));
    const [usable, blind] = partition(recipe.objects, ({ finds }) =>
      finds.some(({ type }) => types.has(type)),
    );
    if (usable.length === 0) return { outcome: 'unmatched' };
    const [first] = blind;
    if (first !== undefined && config.whenUnmatched === 'hold')
      return {
        outcome: 'held',
        reason: 'no_usable_identity',
        detail: `${first.name} of ${recipe.service} cannot be searched by the identities of the request`,
      };
    const keys = await objectsOf(subject, usable, subject.called?.keys);
    return {
      outcome: 'found',
      counts: countsOf(keys),
      retained: byName(),
      keys,
      ...(blind.length > 0 && { skipped: blind.map(({ name }) => name) }),
      sharedWith: [],
    };
  }

  async function preview(subjects: readonly Subject[]): Promise<Preview[]> {
    if (subjects.length === 0) return [];
    await proveAccount(service, recipe);
    return oneByOne(subjects, previewOne);
  }

  async function eraseOne(order: EraseOrder): Promise<Erasure> {
    const erased: [string, number][] = [];
    for (const object of recipe.objects) {
      const keys = order.keys[object.name] ?? [];
      let count = 0;
      for (const key of keys) if (await takeOut(object, valuesOf(object, key))) count++;
      if (count > 0) erased.push([object.name, count]);
    }
    return { outcome: 'erased', counts: byName(erased) };
  }

  /** Through all places: what leaves one may come into the next. */
  async function takeOut({ places }: RecipeObject, values: Values): Promise<boolean> {
    let isDone = false;
    for (const place of places) {
      if (!(await has(place, values))) continue;
      const { done, none } = place;
      const { as } = await service.ask({ call: place.out, values }, { done, none });
      if (as === 'done') isDone = true;
    }
    return isDone;
  }

  async function verifyOne(order: EraseOrder): Promise<Verdict> {
    const types = new Set(order.identities.map(({ type }) => type));
    const usable = recipe.objects.filter(
      ({ name, finds }) =>
        order.keys[name] !== undefined || finds.some(({ type }) => types.has(type)),
    );
    const counts = countsOf(await objectsOf(order, usable, order.keys));
    if (totalOf(counts) > 0) return { outcome: 'remains', counts };
    const { name, digest, leaves, comesBack } = recipe;
    const note = { recipe: name, digest, leaves, comes_back: comesBack };
    return { outcome: 'gone', how: 'requeried', service: note };
  }

  return {
    check: () => checkService(config, service),
    preview,
    erase: eraseByCall(preview, (orders) => untilDown(orders, eraseOne)),
    verify: (orders) => oneByOne(orders, verifyOne),
    close: async () => service.close(),
  };
}

async function oneByOne<S, T>(
  subjects: readonly S[],
  work: (subject: S) => Promise<T>,
): Promise<(T | Failed)[]> {
  const answers: (T | Failed)[] = [];
  for (const subject of subjects) answers.push(await work(subject).catch(asFailed));
  return answers;
}

/** People who were erased before the service went away are not repeated, and those after it were not touched. */
async function untilDown(
  orders: readonly EraseOrder[],
  erase: (order: EraseOrder) => Promise<Erasure>,
): Promise<Erasure[]> {
  const answers: Erasure[] = [];
  let down: TargetDown | undefined;
  for (const order of orders) {
    if (down !== undefined) {
      answers.push({ outcome: 'failed', code: down.code, detail: down.message, isVoid: true });
      continue;
    }
    const answer = await erase(order).catch((error: unknown) => {
      if (!(error instanceof TargetDown)) return asFailed(error);
      down = error;
      return { outcome: 'failed', code: error.code, detail: error.message } as const;
    });
    answers.push(answer);
  }
  return answers;
}

function asFailed(error: unknown): Failed {
  if (!(error instanceof Unexpected)) throw error;
  return { outcome: 'failed', code: error.code, detail: error.message };
}

function valuesOf({ finds }: RecipeObject, key: KeyRow): Values {
  const [find] = finds;
  const names = [...Object.keys(find?.within?.key ?? {}), ...Object.keys(find?.list.key ?? {})];
  return Object.fromEntries(names.map((name, place) => [name, key[place] ?? '']));
}

function countsOf(keys: Keys): Counts {
  return byName(Object.entries(keys).map(([name, rows]): [string, number] => [name, rows.length]));
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
