/** A call did not get an answer that can be used. Code and message are our own text: errors may quote what was sent. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** Stable and short, such as `timeout` or `address_blocked`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
