import type { RawAnswer, SignedAnswer } from './answer.ts';
import { ErasureError, NotSignedError, type Operation } from './errors.ts';

/** Runs the caller's own check of an answer; its failure becomes ours, so that the call can be told from it. */
export async function verifiedBy(
  verify: ((answer: SignedAnswer) => void | Promise<void>) | undefined,
  answer: RawAnswer,
  about: { readonly operation: Operation; readonly subjectRequestId: string | undefined },
): Promise<void> {
  try {
    await verify?.(answer);
  } catch (error) {
    if (error instanceof ErasureError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotSignedError(
      `the answer is not accepted: ${reason}. The processor may have carried out the call`,
      {
        ...about,
        status: answer.status,
        requestId: answer.requestId,
        outcomeUnknown: true,
        reason,
      },
    );
  }
}
