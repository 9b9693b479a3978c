// Calls and answers as a recipe writes them.
import { isObject } from '../../../domain/is-object.ts';
import {
  FILTERS,
  fillJson,
  fillText,
  misspeltIn,
  placeholdersIn,
  type Values,
} from '../../../domain/recipe/placeholders.ts';
import type { Answers, Call } from '../../../domain/recipe/recipe.ts';
import { type Fields, readFields } from '../fields.ts';

const CALL = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s#]*)$/;
const NO_CALL: Call = { method: 'GET', path: '/' };

/** `GET /path`, or an object with `call` and a body; with the settings filled in. */
export function readCall(
  fields: Fields,
  name: string,
  settings: Values,
  known: readonly string[],
): Call {
  const given = fields.values[name];
  if (!fields.has(name)) {
    fields.problem(name, 'is missing');
    return NO_CALL;
  }
  const whole = isObject(given) ? fields.below(name) : undefined;
  whole?.refuseOthersThan(['call', 'json', 'form']);
  const text = whole === undefined ? given : whole.values.call;
  const [, method = 'GET', path = '/'] = (typeof text === 'string' && CALL.exec(text)) || [];
  if (typeof text !== 'string' || !CALL.test(text))
    fields.problem(name, 'must be a method and a path, such as GET /users/{id}');
  else if (!isSentAsWritten(path))
    fields.problem(
      name,
      'has a path that is not sent as it is written: escape signs that addresses do not have, and leave out ".." and "//"',
    );
  const json = whole?.has('json') ? whole.values.json : undefined;
  const form = whole?.has('form') ? whole.values.form : undefined;
  if (json !== undefined && form !== undefined) fields.problem(name, 'has json and form; keep one');
  if (form !== undefined && !isTexts(form)) fields.problem(name, 'form must be names and texts');
  const texts = [path, json, form];
  refuseUnknownPlaceholders(fields, name, texts, [...known, ...Object.keys(settings)]);
  for (const used of placeholdersIn(texts))
    if (used.filters.length > 0 && Object.hasOwn(settings, used.name))
      fields.problem(name, `{${used.name}} is a setting, and cannot have a filter`);
  return {
    method,
    path: fillText(path, settings, encodeURIComponent),
    ...(json !== undefined && { json: fillJson(json, settings) }),
    ...(isTexts(form) && { form: fillJson(form, settings) as Record<string, string> }),
  };
}

export function refuseUnknownPlaceholders(
  fields: Fields,
  name: string,
  texts: unknown,
  known: readonly string[],
): void {
  for (const misspelt of misspeltIn(texts, known))
    fields.problem(name, `${misspelt} is sent as it is; write it in small letters, without spaces`);
  for (const used of placeholdersIn(texts)) {
    if (!known.includes(used.name))
      fields.problem(name, `{${used.name}} is not known here; there is ${listed(known)}`);
    for (const filter of used.filters.filter((one) => !FILTERS.some((known) => known === one)))
      fields.problem(name, `${filter} is not a filter; there is ${FILTERS.join(', ')}`);
  }
}

/** One answer or a list of them: a status, or `{ status, where: { path: value } }`. */
export function readAnswers(
  fields: Fields,
  name: string,
  settings: Values,
  { isAbsence = false, isNeeded = true, known = [] as readonly string[] } = {},
): Answers[] {
  if (isNeeded && !fields.has(name)) fields.problem(name, 'is missing: which statuses say so');
  return fields.items(name).map((given, place) => {
    const at = `${fields.place}.${name}[${place}]`;
    const one = readFields(isObject(given) ? given : { status: given }, at, fields.problems);
    one.refuseOthersThan(['status', 'where']);
    const status = Number(one.values.status);
    const isStatus = Number.isInteger(status) && status >= 200 && status <= 499;
    if (!isStatus) one.problem('status', 'must be a status from 200 to 499');
    const where = one.has('where') ? one.values.where : {};
    if (!isPlain(where))
      one.problem('where', 'must be paths and values, such as user.active: true');
    refuseUnknownPlaceholders(one, 'where', where, [...known, ...Object.keys(settings)]);
    const says = isPlain(where) && Object.values(where).some((value) => value !== null);
    if (isAbsence && status === 404 && !says)
      one.problem(
        'status',
        'a wrong address is answered 404 too: say by "where" what the body of this one has',
      );
    return { status, where: isPlain(where) ? (fillJson(where, settings) as Answers['where']) : {} };
  });
}

function isSentAsWritten(path: string): boolean {
  const [plain = ''] = path.split('?');
  const example = plain.replaceAll(/[{}|]/g, '');
  return URL.parse(example, 'https://service.example')?.pathname === example;
}

export const listed = (names: readonly string[]) =>
  names.map((name) => `{${name}}`).join(', ') || 'none';

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isPlain(value: unknown): value is Answers['where'] {
  return (
    isObject(value) &&
    Object.values(value).every(
      (one) =>
        one === null ||
        (Array.isArray(one) && one.length === 0) ||
        ['string', 'number', 'boolean'].includes(typeof one),
    )
  );
}
