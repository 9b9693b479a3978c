// Limits for callers, so that one of them cannot block the others.
import { bytes, duration, orOff, wholeNumber } from './kinds.ts';
import { setting } from './setting.ts';
import { rateLimit } from './special-kinds.ts';

export const LIMIT_SETTINGS = {
  rateLimit: setting(
    'rate_limit',
    rateLimit,
    'Requests a minute of each controller at all nodes together, or off; 429 beyond',
    '60000',
  ),
  limitsConnections: setting(
    'limits.connections',
    wholeNumber(10, 1_000_000),
    'Open connections at most; when more come, the oldest idle one is closed',
    '4096',
  ),
  limitsConnectionsPerAddress: setting(
    'limits.connections_per_address',
    orOff(wholeNumber(1, 1_000_000)),
    'Open connections of one address (IPv6: of one /64) at most, or off; proxies of trust_proxy are exempt',
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
    'Requests that a connection may bring before the first is answered; it is closed with the last of them',
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
    'Memory for requests that are not answered yet; 503 beyond',
    '128MiB',
  ),
} as const;
