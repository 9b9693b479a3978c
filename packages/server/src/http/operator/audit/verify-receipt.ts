// Verifies a given receipt: is it unchanged since it was signed here?
import {
  verifiedReceiptShape,
  verifiedReceiptWords,
} from '../../../operator/audit/receipt-verdict.ts';
import type { OperatorContext } from '../context.ts';
import type { DefineRoute } from '../shared/route.ts';
import { receiptVerdictSchema } from './shapes.ts';

const TAG = 'Audit';
const DOCUMENT = { type: 'string', minLength: 1, maxLength: 262_144 } as const;

const NOT_VERIFIED = {
  ok: false,
  controller_id: null,
  subject_request_id: null,
  receipt_no: null,
  signed_time: null,
  key_id: null,
  in_audit_log: false,
  receipt_in_audit_log: false,
  consistent_with: [],
};

export function verifyReceiptRoutes(route: DefineRoute, { audit }: OperatorContext): void {
  route({
    method: 'POST',
    path: '/receipts/verify',
    role: 'operator',
    tag: TAG,
    id: 'verifyReceipt',
    summary: 'Verify that a receipt is unchanged since this installation signed it',
    description:
      'With heads and proofs that its reader has kept, also that the log which they are of contains it.',
    body: {
      type: 'object',
      required: ['receipt'],
      properties: {
        receipt: { ...DOCUMENT, description: 'The text of the receipt: every byte counts' },
        heads: {
          type: 'array',
          maxItems: 100,
          items: DOCUMENT,
          description: 'Texts of heads, consistency proofs and receipt proofs',
        },
      },
    },
    answer: receiptVerdictSchema,
    async handle({ body }) {
      const given = (name: string, content: string) => ({ name, bytes: Buffer.from(content) });
      const verdict = await audit.verifyReceipt(
        given('The receipt', body.receipt),
        (body.heads ?? []).map((head, place) => given(`Document ${place + 1}`, head)),
      );
      if (!verdict.ok) return { ...NOT_VERIFIED, words: [verdict.problem] };
      const words = verifiedReceiptWords(verdict, 'this installation’s');
      return { ...verifiedReceiptShape(verdict), words };
    },
  });
}
