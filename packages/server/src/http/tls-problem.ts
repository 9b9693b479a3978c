/** The certificate or its key cannot be used. */
export class TlsProblem extends Error {
  override readonly name = 'TlsProblem';
}
