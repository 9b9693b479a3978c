import type { Values } from '../../../domain/recipe/placeholders.ts';
import type { Recipe } from '../../../domain/recipe/recipe.ts';
import type { RestTargetConfig } from '../../../domain/target/target.ts';
import { text } from '../../kinds.ts';
import { allowPrivate } from '../../special-kinds.ts';
import { mode, readCommon, readControllers, type Undigested } from '../common-fields.ts';
import type { Fields } from '../fields.ts';
import { callTimeout } from '../read-http-target.ts';
import { readNameMap } from '../read-names.ts';
import { readIsShared } from '../read-opendsr-target.ts';
import { readRecipe } from './read-recipe.ts';

/** Some calls for each person. */
const DEFAULTS = { batchSize: 20, concurrency: 1 };

export function readRestTarget(
  name: string,
  target: Fields,
  directory: string,
): Undigested<RestTargetConfig> {
  const controllers = readControllers(target);
  const settings = readNameMap(target.below('settings'));
  const secrets = readNameMap(target.below('secrets'));
  return {
    ...readCommon(name, target, DEFAULTS),
    // Nobody but the operator has run the recipe against the service.
    mode: target.read('mode', mode, 'preview'),
    connector: 'rest',
    controllers,
    recipe: recipeOf(target, directory, settings, secrets),
    settings,
    isShared: readIsShared(target, controllers?.length),
    allowPrivate: target.read('allow_private', allowPrivate, false),
    timeout: target.read('timeout', callTimeout, 30) * 1000,
  };
}

function recipeOf(target: Fields, directory: string, settings: Values, secrets: Values): Recipe {
  const name = target.need('recipe', text(), '');
  const read = name === '' ? undefined : readRecipe(target, name, directory, { settings, secrets });
  return read ?? NO_RECIPE;
}

/** Beside a problem: never used. */
const NO_RECIPE: Recipe = {
  name: '',
  service: '',
  documents: [],
  digest: '',
  origin: '',
  auth: { headers: {}, query: {} },
  pause: 0,
  account: { call: { method: 'GET', path: '/' }, is: [] },
  objects: [],
  leaves: [],
  comesBack: [],
};
