// Receives status callbacks of OpenDSR processors, and believes only what they signed. Unwrite itself sends none.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { NotVerifiedError } from '@unwrite/client';
import { createCertificateVerifier } from '@unwrite/client/node';

const OWN_ADDRESS = 'https://controller.example.com/opendsr/callbacks';
const MAX_BYTES = 65_536;

// The domains that are accepted, and where the certificate of each is: an address, or the certificate itself.
const verify = createCertificateVerifier({
  processors: { 'opendsr.example.com': 'https://opendsr.example.com/certificate.pem' },
});

export const server = createServer(async (request, response) => {
  const end = (status: number) => response.writeHead(status).end();
  if (request.method !== 'POST') return end(405);
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BYTES)
    return end(413);
  const bytes = await buffer(request);
  try {
    // Before anything of the body is read.
    await verify({
      bytes,
      domain: request.headers['x-opendsr-processor-domain']?.toString(),
      signature: request.headers['x-opendsr-signature']?.toString(),
    });
  } catch (error) {
    console.error(error instanceof NotVerifiedError ? error.message : 'it could not be verified');
    return end(401);
  }
  const callback = JSON.parse(bytes.toString());
  if (callback.status_callback_url !== OWN_ADDRESS) return end(400);
  console.log(`${callback.subject_request_id} is ${callback.request_status}`);
  return end(202);
});
