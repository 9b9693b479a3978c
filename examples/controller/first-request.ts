// Submits one erasure request, waits until it is completed, and verifies its receipt.
import { writeFileSync } from 'node:fs';
import { createProofKeys, ErasureClient, verifyReceipt } from '@unwrite/client';

const { BASE = '', CLIENT_ID = '', CLIENT_SECRET = '', AUDIENCE = '' } = process.env;

const client = new ErasureClient({
  baseUrl: BASE,
  tokenUrl: `${BASE}/oauth/token`,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  audience: AUDIENCE,
  onEvent: (event) => console.error(JSON.stringify(event)), // no identities in it
});

const { subjectRequestId } = await client.submit({
  regulation: 'gdpr',
  submitted_time: '2026-11-15T02:00:00Z', // when the person asked you
  subject_identities: [
    { identity_type: 'email', identity_value: 'jane@example.com', identity_format: 'raw' },
  ],
});
console.log(`submitted: ${subjectRequestId}`); // keep it: it is how you ask about the request

await client.waitUntil(subjectRequestId, 'completed', {
  onStatus: ({ request_status }) => console.log(`it is ${request_status}`),
});

// Get the key before you need it, over a channel that you trust, and keep it.
const key = new TextDecoder().decode((await client.send({ path: '/receipts/key' })).bytes);
const receipt = await client.receipt(subjectRequestId);
const { receipt: verified } = await verifyReceipt(receipt.bytes, await createProofKeys(key));
writeFileSync('receipt.json', receipt.bytes); // exactly these bytes are signed
console.log(`erased, and signed at ${verified.signed_time}`);
