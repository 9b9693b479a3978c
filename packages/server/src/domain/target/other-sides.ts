// What is known only by the word of another side. As it is in the evidence.

/** What another processor says about the request that was forwarded to it. */
export interface Statement {
  /** Its domain, or the host that was called. */
  readonly processor: string;
  /** Of the request there. */
  readonly subject_request_id: string;
  readonly status: 'completed';
  /** Whether the answer was signed with the certificate that the configuration names. */
  readonly signed: boolean;
  /** SHA-256 of its receipt, if it gives receipts. */
  readonly receipt?: string;
}

/** By which description of a service it was erased there, and what that says about afterwards. */
export interface ServiceNote {
  readonly recipe: string;
  /** SHA-256 of the recipe's file. */
  readonly digest: string;
  /** What the service keeps. */
  readonly leaves: readonly string[];
  /** What brings people back there. */
  readonly comes_back: readonly string[];
}
