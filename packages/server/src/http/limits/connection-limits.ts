/** What one connection, one address and all of them together may take. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Of one address, but for those of proxies; null: off. */
  readonly perAddress: number | null;
  readonly requestsPerConnection: number;
  /** Requests that arrived on a connection while an earlier one was not answered yet. */
  readonly pipelined: number;
  /** How long an answer may take to be read. */
  readonly answerTimeoutMs: number;
}
