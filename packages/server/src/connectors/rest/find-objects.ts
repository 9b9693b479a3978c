// Finds a person's objects. What a search gives is only a candidate: our own comparison decides.

import { isObject } from '../../domain/is-object.ts';
import { FOLDING, placeholdersIn, type Values } from '../../domain/recipe/placeholders.ts';
import type { Find, Listing, RecipeObject } from '../../domain/recipe/recipe.ts';
import { plainText, valueAt } from '../../domain/recipe/value-at.ts';
import { Identity } from '../../domain/request/identity.ts';
import type { KeyRow } from '../../domain/target/connector.ts';
import { type Request, type Service, unexpected } from './service.ts';

const MAX_PAGES = 100;

/** Keys of all objects that have one of these identities, each once. */
export async function findObjects(
  service: Service,
  { finds }: RecipeObject,
  identities: readonly Identity[],
): Promise<KeyRow[]> {
  const keys = new Map<string, KeyRow>();
  for (const find of finds)
    for (const identity of identities.filter(({ type }) => type === find.type))
      for (const spelling of spellingsOf(find, identity))
        for (const key of await findBy(service, find, identity, spelling))
          keys.set(JSON.stringify(key), key);
  return [...keys.values()];
}

/** As it was sent and as it is compared: to some services case matters, and a recipe may settle it by a filter. */
function spellingsOf({ within, list }: Find, identity: Identity): string[] {
  const texts = [within?.call, list.call].map((call) => [call?.path, call?.json, call?.form]);
  const isAsSent = placeholdersIn(texts).some(
    ({ name, filters }) => name === 'identity' && !filters.some((one) => FOLDING.has(one)),
  );
  const sent = identity.reveal();
  return isAsSent ? [...new Set([sent, identity.matchKey()])] : [sent];
}

async function findBy(
  service: Service,
  find: Find,
  identity: Identity,
  spelling: string,
): Promise<KeyRow[]> {
  const { within, list, same } = find;
  const values = { identity: spelling };
  const outers = within === undefined ? [{}] : await keysIn(service, within, values, () => true);
  const found: KeyRow[] = [];
  for (const outer of outers) {
    const own = await keysIn(service, list, { ...values, ...outer }, (item) =>
      isSame(item, same, identity, service.host),
    );
    found.push(...own.map((key) => [...Object.values(outer), ...Object.values(key)]));
  }
  return found;
}

async function keysIn(
  service: Service,
  listing: Listing,
  values: Values,
  isWanted: (item: unknown) => boolean,
): Promise<Values[]> {
  const keys: Values[] = [];
  let request: Request | undefined = { call: listing.call, values };
  for (let pages = 0, seen = 0; request !== undefined; pages++) {
    if (pages === MAX_PAGES)
      throw unexpected(
        'bad_answer',
        `${service.host} has more than ${MAX_PAGES} pages about one person`,
      );
    const { found, none } = listing;
    const { as, body }: { as: string; body: unknown } = await service.ask(request, { found, none });
    if (as === 'none') break;
    const items = itemsIn(body, listing, service.host);
    seen += items.length;
    for (const item of items) if (isWanted(item)) keys.push(keyOf(item, listing, service.host));
    request = nextPage(service, listing, request, { body, seen, size: items.length });
  }
  return keys;
}

function itemsIn(body: unknown, { items }: Listing, host: string): unknown[] {
  if (items === undefined) return Array.isArray(body) ? body : [body];
  const list = valueAt(body, items);
  if (!Array.isArray(list))
    throw unexpected(
      'bad_answer',
      `${host} answered without the list "${items}" that the recipe names`,
    );
  return list;
}

function keyOf(item: unknown, { key }: Listing, host: string): Values {
  return Object.fromEntries(
    Object.entries(key).map(([name, path]) => {
      const text = plainText(valueAt(item, path));
      if (text === undefined || text === '')
        throw unexpected(
          'bad_answer',
          `${host} gave an object without "${path}", by which the recipe names it`,
        );
      return [name, text];
    }),
  );
}

/** Who an object belongs to must be readable: one that cannot be compared might be the person's. */
function isSame(
  item: unknown,
  { path, separator }: Find['same'],
  identity: Identity,
  host: string,
): boolean {
  const value = isObject(item) ? valueAt(item, path) : undefined;
  const values: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string' && separator !== undefined
      ? value.split(separator).map((one) => one.trim())
      : [value];
  const texts = values.map((one) => (one === null ? '' : plainText(one)));
  if (texts.includes(undefined))
    throw unexpected(
      'bad_answer',
      `${host} gave an object whose "${path}" is no text or list of texts, and "same" of the recipe compares it; look there where an object has the identity, and name that`,
    );
  return texts.some(
    (text = '') => new Identity(identity.type, text).matchKey() === identity.matchKey(),
  );
}

function nextPage(
  service: Service,
  { call, next }: Listing,
  request: Request,
  { body, seen, size }: { readonly body: unknown; readonly seen: number; readonly size: number },
): Request | undefined {
  if (next === undefined) return undefined;
  const { values } = request;
  const withParameter = (name: string, value: unknown): Request => {
    if (isObject(call.json))
      return { call: { ...call, json: { ...call.json, [name]: value } }, values };
    if (call.form !== undefined)
      return { call: { ...call, form: { ...call.form, [name]: String(value) } }, values };
    const url = service.addressOf(call, values);
    url.searchParams.set(name, String(value));
    return { call, values, url };
  };
  if ('offset' in next) return size < next.size ? undefined : withParameter(next.offset, seen);
  const given = valueAt(body, 'link' in next ? next.link : next.token);
  if (given === undefined || given === null || given === '' || given === false) return undefined;
  const text = plainText(given);
  if (text === undefined)
    throw unexpected('bad_answer', `${service.host} names a next page that is no text`);
  if ('token' in next) return withParameter(next.parameter, given);
  const url = URL.parse(text, service.addressOf(call, values));
  if (url?.origin !== service.addressOf(call, values).origin)
    throw unexpected('bad_answer', `${service.host} names a next page at another address`);
  return { call, values, url };
}
