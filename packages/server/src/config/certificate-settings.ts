// The two certificates: of our own TLS, and the processor's, which signs answers.
import { text } from './kinds.ts';
import { setting } from './setting.ts';
import { pem } from './special-kinds.ts';

export const CERTIFICATE_SETTINGS = {
  tlsCertificate: setting(
    'tls.certificate',
    text(),
    'PEM file of the certificate with its chain, to serve TLS without a proxy; read again when it changes',
    'none: plain HTTP, for a proxy',
  ),
  tlsKey: setting('tls.key', text(), 'PEM file of its key, without a passphrase', 'none'),
  processorCertificate: setting(
    'processor_certificate',
    pem('CERTIFICATE'),
    "The processor's certificate with its chain, in PEM: answers are signed with its key",
    'from processor_certificate_file',
  ),
  processorCertificateFile: setting(
    'processor_certificate_file',
    text(),
    'PEM file of it; read again when it changes',
    'none: answers are not signed',
  ),
  processorKey: setting(
    'processor_key',
    pem('PRIVATE KEY'),
    'Key of processor_certificate, in PEM without a passphrase: RSA (2048 bits or more) or P-256',
    'from processor_key_file',
    { secret: true },
  ),
  processorKeyFile: setting(
    'processor_key_file',
    text(),
    'PEM file of it; read again when it changes',
    'none',
  ),
} as const;
