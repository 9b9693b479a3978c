// A service that a recipe describes. Before an object is erased, each place where it can be is looked at, and all of them
// are looked at again afterwards: every step can be repeated.

import type { Values } from '../../domain/recipe/placeholders.ts';
import type { Place, RecipeObject } from '../../domain/recipe/recipe.ts';
import type { Connector, KeyRow } from '../../domain/target/connector.ts';
import type { RestTargetConfig } from '../../domain/target/target.ts';
import { createObjectsConnector } from '../objects-connector.ts';
import { checkService, proveAccount } from './check-service.ts';
import { findObjects } from './find-objects.ts';
import { createService, type ServiceDeps } from './service.ts';

export function createRestConnector(config: RestTargetConfig, deps: ServiceDeps = {}): Connector {
  const { recipe } = config;
  const { name, digest, leaves, comesBack } = recipe;
  const service = createService(config, deps);

  /** A statement of absence counts before one of presence: it is the narrower one. */
  async function has({ look, has, lacks }: Place, values: Values): Promise<boolean> {
    const { as } = await service.ask({ call: look, values }, { lacks, has });
    return as === 'has';
  }

  async function isAnywhere({ object }: RecipeKind, key: KeyRow): Promise<boolean> {
    const values = valuesOf(object, key);
    for (const place of object.places) if (await has(place, values)) return true;
    return false;
  }

  /** Through all places: what leaves one may come into the next. */
  async function takeOut({ object }: RecipeKind, key: KeyRow): Promise<boolean> {
    const values = valuesOf(object, key);
    let isDone = false;
    for (const place of object.places) {
      if (!(await has(place, values))) continue;
      const { done, none } = place;
      const { as } = await service.ask({ call: place.out, values }, { done, none });
      if (as === 'done') isDone = true;
    }
    return isDone;
  }

  return createObjectsConnector<RecipeKind>(config, {
    kinds: recipe.objects.map((object) => ({
      name: object.name,
      types: object.finds.map(({ type }) => type),
      object,
    })),
    note: { recipe: name, digest, leaves, comes_back: comesBack },
    check: () => checkService(config, service),
    begin: () => proveAccount(service, recipe),
    /** A search index that lags is not believed: what it gives is looked at. */
    async find(kind, { identities }, known) {
      const found = await findObjects(service, kind.object, identities);
      const each = new Map([...known, ...found].map((key) => [JSON.stringify(key), key]));
      const there: KeyRow[] = [];
      for (const key of each.values()) if (await isAnywhere(kind, key)) there.push(key);
      return there;
    },
    async erase(kind, keys) {
      let count = 0;
      for (const key of keys) if (await takeOut(kind, key)) count++;
      return count;
    },
    close: () => service.close(),
  });
}

interface RecipeKind {
  readonly name: string;
  readonly types: readonly RecipeObject['finds'][number]['type'][];
  readonly object: RecipeObject;
}

function valuesOf({ finds }: RecipeObject, key: KeyRow): Values {
  const [find] = finds;
  const names = [...Object.keys(find?.within?.key ?? {}), ...Object.keys(find?.list.key ?? {})];
  return Object.fromEntries(names.map((name, place) => [name, key[place] ?? '']));
}
