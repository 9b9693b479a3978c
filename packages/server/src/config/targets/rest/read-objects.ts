// What a recipe says of each kind of object: how a person's are found, where they can be, and how each leaves.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { isObject } from '../../../domain/is-object.ts';
import { fillText, placeholdersIn, type Values } from '../../../domain/recipe/placeholders.ts';
import type {
  Find,
  Listing,
  NextPage,
  Place,
  RecipeObject,
} from '../../../domain/recipe/recipe.ts';
import { isInternal } from '../../../domain/request/identity.ts';
import { text, wholeNumber } from '../../kinds.ts';
import { type Fields, readFields } from '../fields.ts';
import { listed, readAnswers, readCall, refuseUnknownPlaceholders } from './read-call.ts';

const OBJECT_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const KEY_NAME = /^[a-z][a-z0-9_]*$/;
const path = text(/^[^\s.]+(\.[^\s.]+)*$/, 'a path of names with dots, such as user.id');

export function readObjects(recipe: Fields, settings: Values): RecipeObject[] {
  const objects = recipe.below('objects');
  const names = Object.keys(objects.values);
  if (names.length === 0) recipe.problem('objects', 'must describe at least one kind of object');
  return names.map((name) => {
    if (!OBJECT_NAME.test(name))
      objects.problem(name, 'must be a name of small letters, digits and _');
    const object = objects.below(name);
    object.refuseOthersThan(['find', 'places']);
    const finds = readFinds(object, settings);
    const keys = Object.keys(finds[0]?.list.key ?? {});
    const within = Object.keys(finds[0]?.within?.key ?? {});
    const key = [...within, ...keys];
    for (const { list, within: outer } of finds)
      if ([...Object.keys(outer?.key ?? {}), ...Object.keys(list.key)].join() !== key.join())
        object.problem('find', 'must give the same parts of the key each time');
    return { name, finds, places: readPlaces(object, settings, key) };
  });
}

function readFinds(object: Fields, settings: Values): Find[] {
  const find = object.below('find');
  const types = Object.keys(find.values);
  if (types.length === 0) object.problem('find', 'must say how an identity finds the objects');
  return types.flatMap((name) => {
    const type = isInternal(name) ? name : IDENTITY_TYPES.find((one) => one === name);
    if (type === undefined) {
      find.problem(name, `must be one of: ${IDENTITY_TYPES.join(', ')}, internal.<name>`);
      return [];
    }
    return find.items(name).map((given, place): Find => {
      const one = readFields(given, `${find.place}.${name}[${place}]`, find.problems);
      one.refuseOthersThan([...LISTING, 'within', 'same']);
      const within = one.has('within') ? one.below('within') : undefined;
      within?.refuseOthersThan(LISTING);
      const outer = within && readListing(within, settings, ['identity']);
      const known = ['identity', ...Object.keys(outer?.key ?? {})];
      return {
        type,
        ...(outer !== undefined && { within: outer }),
        list: readListing(one, settings, known),
        same: readSame(one, settings),
      };
    });
  });
}

const LISTING = ['call', 'json', 'form', 'found', 'none', 'items', 'key', 'next'];

function readListing(listing: Fields, settings: Values, known: readonly string[]): Listing {
  const { call, json, form } = listing.values;
  const described = readFields({ as: { call, json, form } }, listing.place, listing.problems);
  const key = listing.below('key');
  const names = Object.keys(key.values);
  if (names.length === 0)
    listing.problem('key', 'must name what identifies an object, such as { id: id }');
  for (const name of names)
    if (!KEY_NAME.test(name) || name === 'identity') key.problem(name, 'cannot be a part of a key');
  const next = listing.has('next') ? readNext(listing.below('next')) : undefined;
  return {
    call: readCall(described, 'as', settings, known),
    found: readAnswers(listing, 'found', settings),
    none: readAnswers(listing, 'none', settings, { isAbsence: true, isNeeded: false }),
    ...(listing.has('items') && { items: listing.read('items', path, '') }),
    key: Object.fromEntries(names.map((name) => [name, key.need(name, path, '')])),
    ...(next !== undefined && { next }),
  };
}

function readNext(next: Fields): NextPage {
  next.refuseOthersThan(['link', 'token', 'parameter', 'offset', 'size']);
  if (next.has('link')) return { link: next.read('link', path, '') };
  if (next.has('token'))
    return { token: next.read('token', path, ''), parameter: next.need('parameter', text(), '') };
  return {
    offset: next.need('offset', text(), ''),
    size: next.need('size', wholeNumber(1, 10_000), 1),
  };
}

function readSame(find: Fields, settings: Values): Find['same'] {
  const given = find.values.same;
  refuseUnknownPlaceholders(find, 'same', given, Object.keys(settings));
  if (!isObject(given)) return { path: fillText(find.need('same', path, ''), settings) };
  const same = find.below('same');
  same.refuseOthersThan(['path', 'separator']);
  return {
    path: fillText(same.need('path', path, ''), settings),
    separator: same.need('separator', text(), ''),
  };
}

function readPlaces(object: Fields, settings: Values, key: readonly string[]): Place[] {
  const places = object.below('places');
  const names = Object.keys(places.values);
  if (names.length === 0)
    object.problem('places', 'must say where an object can be, and how it leaves there');
  return names.map((name) => {
    const place = places.below(name);
    place.refuseOthersThan(['look', 'has', 'lacks', 'out', 'done', 'none']);
    const look = readCall(place, 'look', settings, key);
    const out = readCall(place, 'out', settings, key);
    for (const [field, { path, json, form }] of Object.entries({ look, out })) {
      const used = placeholdersIn([path, json, form]).map((one) => one.name);
      const missing = key.filter((part) => !used.includes(part));
      // Otherwise it might be everybody's.
      if (place.has(field) && missing.length > 0)
        place.problem(field, `does not name the object: ${listed(missing)} is not in it`);
    }
    return {
      name,
      look,
      has: readAnswers(place, 'has', settings, { known: key }),
      lacks: readAnswers(place, 'lacks', settings, { isAbsence: true, known: key }),
      out,
      done: readAnswers(place, 'done', settings, { known: key }),
      none: readAnswers(place, 'none', settings, {
        isAbsence: true,
        isNeeded: false,
        known: key,
      }),
    };
  });
}
