// Spans for the OpenTelemetry SDK that an operator has loaded (NODE_OPTIONS=--import), found by the global under which every
// version 1 of its API registers one. So there is no dependency, nothing to load without an SDK, and no minor version that
// has to fit. Names and attributes are those of the metrics: never anything that a caller or a target sent.

export type Attributes = Readonly<Record<string, string | number>>;

interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(time?: number): void;
}

interface SpanOptions {
  readonly kind: number;
  readonly attributes: Attributes;
  readonly startTime?: number;
}

interface Tracer {
  startSpan(name: string, options: SpanOptions): Span;
  startActiveSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T;
}

interface Registered {
  readonly trace?: { getTracer(name: string, version?: string): Tracer };
}

const API = Symbol.for('opentelemetry.js.api.1');
/** As the API numbers them. */
export const KIND = { internal: 0, server: 1, client: 2 } as const;
const FAILED = 2;

let found: { readonly by: Registered['trace']; readonly tracer: Tracer } | undefined;

/** Of this thread; undefined without an SDK. */
function tracer(): Tracer | undefined {
  const by = (globalThis as { [API]?: Registered })[API]?.trace;
  if (by === undefined) return undefined;
  if (found?.by !== by) found = { by, tracer: by.getTracer('unwrite') };
  return found.tracer;
}

/** Spans of the calls that the work makes are below this one. What is thrown is not recorded: its text may quote data. */
export function withSpan<T>(
  name: string,
  kind: number,
  attributes: Attributes,
  work: (note: (name: string, value: string) => void) => Promise<T>,
): Promise<T> {
  const active = tracer();
  if (active === undefined) return work(() => undefined);
  return active.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work((noted, value) => void span.setAttribute(noted, value));
    } catch (error) {
      span.setStatus({ code: FAILED });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Of something that ended just now. */
export function addSpan(name: string, ms: number, attributes: Attributes, isFailed: boolean): void {
  const active = tracer();
  if (active === undefined) return;
  const end = performance.timeOrigin + performance.now();
  const span = active.startSpan(name, { kind: KIND.server, attributes, startTime: end - ms });
  if (isFailed) span.setStatus({ code: FAILED });
  span.end(end);
}
