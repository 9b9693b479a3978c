// Types that are written twice: the SDK speaks to processors of others too, so its types are those of OpenDSR. What our own
// server answers must fit them. tsc is the test.
import type {
  CancelledResponse,
  CreatedResponse,
  CreateRequestBody,
  DiscoveryResponse,
  OpenDsrCancelled,
  OpenDsrCreated,
  OpenDsrDiscovery,
  OpenDsrRequest,
  OpenDsrStatus,
  ReceiptDocument,
  StatusResponse,
} from '@unwrite/protocol';
import { expect, it } from 'vitest';
import type { Receipt } from '../../server/src/domain/receipt/documents.ts';

it('the answers and receipts of our server fit the types of the SDK', () => {
  const fits = <Wide>(_narrow: (it: Wide) => void) => true;
  expect([
    fits<DiscoveryResponse>((_: OpenDsrDiscovery) => undefined),
    fits<CreatedResponse>((_: OpenDsrCreated) => undefined),
    fits<StatusResponse>((_: OpenDsrStatus) => undefined),
    fits<CancelledResponse>((_: OpenDsrCancelled) => undefined),
    fits<Receipt>((_: ReceiptDocument) => undefined),
    fits<
      CreateRequestBody & { subject_identities: []; status_callback_urls: []; api_version: '2.0' }
    >((_: OpenDsrRequest) => undefined),
  ]).not.toContain(false);
});
