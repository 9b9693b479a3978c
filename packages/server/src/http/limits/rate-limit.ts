// Limits the requests of a controller: a bucket for one minute, filled steadily. Headers as in
// draft-ietf-httpapi-ratelimit-headers. Nodes divide the limit: each has an equal part of the bucket.
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { ApiError } from '../api-error.ts';

const WINDOW_S = 60;

export interface RateLimit {
  /** Counts one request; returns the error if there were too many. */
  refuse(controllerId: ControllerId): ApiError | undefined;
  /** Headers for the response; names and values alternate. */
  headers(controllerId: ControllerId): readonly string[];
}

interface Bucket {
  tokens: number;
  /** When it had that many tokens, in milliseconds. */
  at: number;
}

export interface RateLimitOptions {
  /** Requests per minute of each controller, over all nodes. */
  readonly perMinute: number;
  /** How many nodes accept requests. */
  readonly nodes: () => number;
  readonly now: () => number;
}

export const NO_RATE_LIMIT: RateLimit = { refuse: () => undefined, headers: () => [] };

export function createRateLimit({ perMinute, nodes, now }: RateLimitOptions): RateLimit {
  /** Not bounded: there are few controllers, and operators create them. */
  const buckets = new Map<ControllerId, Bucket>();
  const policy = `"default";q=${perMinute};w=${WINDOW_S}`;

  function fill(controllerId: ControllerId): Bucket {
    const time = now();
    const share = Math.max(1, perMinute / nodes());
    let bucket = buckets.get(controllerId);
    if (bucket === undefined) {
      bucket = { tokens: share, at: time };
      buckets.set(controllerId, bucket);
    }
    const filled = bucket.tokens + ((time - bucket.at) * share) / (WINDOW_S * 1000);
    bucket.tokens = Math.min(share, filled);
    bucket.at = time;
    return bucket;
  }

  /** Seconds until the bucket has that many tokens. */
  function secondsUntil(tokens: number, bucket: Bucket): number {
    const perSecond = Math.max(1, perMinute / nodes()) / WINDOW_S;
    return Math.max(1, Math.ceil((tokens - bucket.tokens) / perSecond));
  }

  function describe(bucket: Bucket, seconds: number): string {
    const left = Math.min(perMinute, Math.floor(Math.floor(bucket.tokens) * nodes()));
    return `"default";r=${left};t=${seconds}`;
  }

  return {
    refuse(controllerId) {
      const bucket = fill(controllerId);
      if (bucket.tokens >= 1) {
        bucket.tokens--;
        return undefined;
      }
      const seconds = secondsUntil(1, bucket);
      return new ApiError(
        429,
        `Too many requests of this controller: at most ${perMinute} a minute; send this again after ${seconds} s`,
        {
          'retry-after': String(seconds),
          'ratelimit-policy': policy,
          ratelimit: describe(bucket, seconds),
        },
      );
    },
    headers(controllerId) {
      const bucket = fill(controllerId);
      const share = Math.max(1, perMinute / nodes());
      return [
        'RateLimit-Policy',
        policy,
        'RateLimit',
        describe(bucket, secondsUntil(share, bucket)),
      ];
    },
  };
}
