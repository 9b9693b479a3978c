// For Node alone: certificates. Everything else is in the main entry.
export {
  type CertificateVerifierOptions,
  createCertificateVerifier,
} from './certificate/certificate-verifier.ts';
export {
  type CertificateRules,
  type CheckedCertificate,
  checkCertificate,
} from './certificate/check-certificate.ts';
export { fetchCertificate } from './certificate/fetch-certificate.ts';
