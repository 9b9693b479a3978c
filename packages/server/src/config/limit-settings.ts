// Limits for callers, so that one of them cannot block the others.
import { bytes, duration, orOff, wholeNumber } from './kinds.ts';
import { setting } from './setting.ts';
import { rateLimit } from './special-kinds.ts';

export const LIMIT_SETTINGS = {
  rateLimit: setting(
    'rate_limit',
    rateLimit,
    'Maximum requests a minute of each controller, over all nodes, or off; more get 429',
    '60000',
  ),
  limitsConnections: setting(
    'limits.connections',
    wholeNumber(10, 1_000_000),
    'Maximum open connections; beyond it, an idle one of the address that has most is closed',
    '4096',
  ),
  limitsConnectionsPerAddress: setting(
    'limits.connections_per_address',
    orOff(wholeNumber(1, 1_000_000)),
    'Maximum open connections of one address (IPv6: of one /64), or off; proxies of trust_proxy are exempt',
    '2048',
  ),
  limitsRequestsPerConnection: setting(
    'limits.requests_per_connection',
    wholeNumber(1, 1_000_000_000),
    'Requests after which a connection is closed',
    '10000',
  ),
  limitsPipelined: setting(
    'limits.pipelined',
    wholeNumber(1, 1000),
    'Maximum unanswered pipelined requests; a connection with more is closed after the last answer',
    '32',
  ),
  limitsAnswerTimeout: setting(
    'limits.answer_timeout',
    duration('1s', '1h'),
    'How long a caller may take to read an answer',
    '30s',
  ),
  limitsWaiting: setting(
    'limits.waiting',
    bytes('1MiB', '64GiB'),
    'Maximum memory for requests that are not answered yet; more get 503',
    '128MiB',
  ),
} as const;
