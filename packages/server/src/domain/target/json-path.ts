// Paths into JSON as the configuration writes them: `$.a.b`, `$["a b"]`, `$.list[0]`, `$.list[*].email`. A small part of
// the syntax of the databases: no filters, and no wildcards but that for the items of a list.

/** A member's name, or an item's place in a list; EACH means all of its items. */
export type JsonPath = readonly (string | number)[];

export const EACH = -1;

/** Whether it may lead to several values of one document. */
export function isOfList(path: JsonPath | null | undefined): boolean {
  return path?.includes(EACH) === true;
}

export type ReadJsonPath = { readonly path: JsonPath } | { readonly problem: string };

const NAME = /\.([A-Za-z_][A-Za-z0-9_]*)/y;
const PLACE = /\[(0|[1-9][0-9]{0,5})\]/y;
const ITEMS = /\[\*\]/y;
const QUOTED = /\[("(?:[^"\\]|\\.)*")\]/y;
const MAX_DEPTH = 50;

/** The problem completes a sentence that begins with the field's name. */
export function readJsonPath(text: string): ReadJsonPath {
  if (!text.startsWith('$')) return problem('must begin with "$"');
  const path: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    const name = matchAt(NAME, text, at);
    const place = matchAt(PLACE, text, at);
    const quoted = matchAt(QUOTED, text, at);
    const items = matchAt(ITEMS, text, at);
    const number = items ? EACH : place && Number(place[1]);
    const segment = name?.[1] ?? number ?? (quoted && unquote(quoted[1] ?? ''));
    const length = (name ?? place ?? items ?? quoted)?.[0].length ?? 0;
    if (segment === undefined) return problem(`cannot be read from "${text.slice(at)}" on`);
    path.push(segment);
    at += length;
  }
  if (path.length === 0) return problem('names the whole value, and must name something in it');
  if (path.length > MAX_DEPTH) return problem(`may have ${MAX_DEPTH} parts at most`);
  return { path };
}

function problem(reason: string): ReadJsonPath {
  return {
    problem: `${reason}; write a path such as $.contact.email, $["full name"], $.list[0] or $.list[*].email`,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function unquote(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(text);
    // Databases cannot store a lone surrogate.
    return typeof name === 'string' && name.isWellFormed() && !name.includes('\0')
      ? name
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the paths may lead to the same place, or `inner` to one within it. */
export function isWithin(inner: JsonPath, outer: JsonPath): boolean {
  return outer.every((segment, place) => {
    const other = inner[place];
    const isItem = typeof segment === 'number' && typeof other === 'number';
    return other === segment || (isItem && [segment, other].includes(EACH));
  });
}
