/** A signature, document or certificate that does not verify; the message says what is wrong with it. */
export class NotVerifiedError extends Error {
  override readonly name = 'NotVerifiedError';
}
