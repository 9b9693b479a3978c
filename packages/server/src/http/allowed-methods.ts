// Which methods a path accepts, for 405: the router only reports that there is no such method and path.

export interface AllowedMethods {
  add(pattern: string, methods: string | readonly string[]): void;
  /** Undefined if no route has this path. */
  of(url: string): readonly string[] | undefined;
}

export function createAllowedMethods(): AllowedMethods {
  const routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  return {
    add(pattern, methods) {
      const route = routes.get(pattern) ?? { segments: segmentsOf(pattern), methods: new Set() };
      for (const method of [methods].flat()) route.methods.add(method);
      routes.set(pattern, route);
    },
    of(url) {
      const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
      const found = [...routes.values()].filter((route) => matches(route.segments, segments));
      if (found.length === 0) return undefined;
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}

/** One trailing slash is ignored, as on every route. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

function matches(pattern: string[], segments: string[]): boolean {
  if (pattern.at(-1) === '*')
    return (
      segments.length >= pattern.length &&
      pattern.slice(0, -1).every((part, i) => part === segments[i])
    );
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}
