// Checks whether a given receipt is unchanged since it was signed here.
import type { ReceiptVerdict } from '../../api/other-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { type ChosenFile, FileButton } from '../../components/file-button.tsx';
import { Mark } from '../../components/status.tsx';
import { t } from '../../words/t.ts';

export function VerifyReceipt() {
  const verify = useAction<ReceiptVerdict>();
  const verdict = verify.data;
  if (!useMay('operator')) return null;
  return (
    <section className="card mb-4 flex flex-wrap content-start items-start gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-80">
        {verdict === undefined ? (
          <>
            <h2 className="font-semibold">{t('verifyReceipt.title')}</h2>
            <p className="mt-0.5 text-ink-2">{t('verifyReceipt.meaning')}</p>
          </>
        ) : (
          <div role="status">
            <h2
              className={`flex items-center gap-2 font-semibold ${verdict.ok ? 'text-good' : 'text-bad'}`}
            >
              <Mark tone={verdict.ok ? 'good' : 'bad'} shape={verdict.ok ? 'check' : 'triangle'} />
              {t(verdict.ok ? 'verifyReceipt.ok' : 'verifyReceipt.bad')}
            </h2>
            {verdict.words.map((line) => (
              <p key={line} className="mt-1 break-words">
                {line}
              </p>
            ))}
          </div>
        )}
      </div>
      <FileButton
        label={t('verifyReceipt.button')}
        icon="shield"
        busy={verify.isPending}
        onFiles={(files) =>
          verify.mutate({ path: '/receipts/verify', options: { body: bodyOf(files) }, done: '' })
        }
      />
    </section>
  );
}

/** The receipt, with the heads and proofs that were kept with it. */
function bodyOf(files: readonly ChosenFile[]) {
  const receipt = files.find(({ content }) => isReceipt(content)) ?? files[0];
  const heads = files.filter((file) => file !== receipt).map(({ content }) => content);
  return { receipt: receipt?.content ?? '', heads };
}

function isReceipt(content: string): boolean {
  try {
    return (JSON.parse(content) as { document?: unknown } | null)?.document === 'unwrite receipt';
  } catch {
    return false;
  }
}
