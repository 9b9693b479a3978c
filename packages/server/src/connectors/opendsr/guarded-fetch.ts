// `fetch` for the SDK, over our own calls: only to addresses that the operator allows, and without redirects.
import { CallFailed } from '../../outbound/call-failed.ts';
import { type Answer, exchange } from '../../outbound/exchange.ts';
import { createAddressRule, type Lookup } from '../../outbound/reachable-addresses.ts';
import { readBytes } from '../../outbound/read-bytes.ts';

/** Receipts of requests with many targets are larger than other answers. */
const MAX_BYTES = 16 << 20;

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Our message for the last failure with this code, which the SDK gives as the reason. */
  messageOf(code: string): string | undefined;
}

export function createGuardedFetch(
  allowPrivate: boolean | readonly string[],
  lookup: Lookup,
): GuardedFetch {
  const messages = new Map<string, string>();
  return {
    messageOf: (code) => messages.get(code),
    async fetch(input, init = {}) {
      const url = new URL(String(input));
      const rule = createAddressRule(url, { allowPrivate, setting: 'allow_private of the target' });
      const body = Buffer.from(typeof init.body === 'string' ? init.body : '');
      const headers = {
        'accept-encoding': 'identity',
        'user-agent': 'unwrite',
        ...(init.headers as Record<string, string>),
      };
      const signal = init.signal ?? new AbortController().signal;
      try {
        const read: Parameters<typeof exchange>[0]['read'] = (response, host) =>
          readBytes(response, host, MAX_BYTES);
        const call = { method: init.method ?? 'GET', url, headers, body, read, signal } as const;
        return toResponse(await exchange({ ...call, readsAll: true }, rule, lookup));
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        messages.set(error.code, error.message);
        // The form of codes that the SDK passes on.
        throw Object.assign(new Error('no answer'), { code: error.code.toUpperCase() });
      }
    },
  };
}

function toResponse({ status, headers, body }: Answer): Response {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const isOrdinary = status >= 200 && status <= 599;
  return new Response(body.length === 0 ? null : Buffer.from(body), {
    // The SDK takes 599 for a processor that is away, as it does all from 500.
    status: isOrdinary ? status : 599,
    headers: pairs,
  });
}
