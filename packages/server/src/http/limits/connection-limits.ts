/** Limits of one connection, of one address, and of all connections together. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Connections from one address. Addresses of proxies are exempt; null means no limit. */
  readonly perAddress: number | null;
  readonly requestsPerConnection: number;
  /** Requests that arrived on a connection while an earlier one was not answered yet. */
  readonly pipelined: number;
  /** How long an answer may take to be read. */
  readonly answerTimeoutMs: number;
}
