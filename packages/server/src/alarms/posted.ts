export type Posted =
  /** What was answered, for the person who tests it: our own text. */
  | { readonly ok: true; readonly answer: string }
  /** Our own text: the receiver's answer is not repeated. */
  | { readonly ok: false; readonly reason: string };
