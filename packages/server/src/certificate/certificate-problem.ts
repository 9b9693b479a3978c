/** The processor's certificate or its key cannot be used. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}
