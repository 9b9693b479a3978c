// Finds the line of a problem in the configuration file. A problem begins with its place,
// `targets.shop.tables[1].via: …`; the line is that of the innermost name that the file has.
import { isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';

export function lineOfProblem(
  problem: string,
  contents: unknown,
  lines: LineCounter,
): number | undefined {
  let rest = /^\S+/.exec(problem)?.[0].replace(/:$/, '') ?? '';
  let node: unknown = contents;
  let at: number | undefined;
  for (;;) {
    const found = isMap(node)
      ? memberOf(node.items, rest)
      : isSeq(node)
        ? itemOf(node, rest)
        : undefined;
    if (found === undefined) break;
    at = found.offset ?? at;
    node = found.node;
    rest = found.rest;
  }
  return at === undefined ? undefined : lines.linePos(at).line;
}

interface Step {
  readonly node: unknown;
  readonly offset: number | undefined;
  readonly rest: string;
}

/** A name may contain dots, such as a table name with its schema. */
function memberOf(
  items: readonly { readonly key: unknown; readonly value: unknown }[],
  path: string,
): Step | undefined {
  const names = items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : '';
    const isNamed = path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
    if (name === '' || !isNamed) return [];
    return [
      { node: value, offset: startOf(key), rest: path.slice(name.length).replace(/^\./, '') },
    ];
  });
  return names.toSorted((a, b) => a.rest.length - b.rest.length)[0];
}

function itemOf(list: { readonly items: readonly unknown[] }, path: string): Step | undefined {
  const [whole, index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
  const node = index === undefined ? undefined : list.items[Number(index)];
  if (whole === undefined || node === undefined) return undefined;
  return { node, offset: startOf(node), rest: path.slice(whole.length) };
}

function startOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null)?.range?.[0];
}
