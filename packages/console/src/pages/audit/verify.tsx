// Whether the audit log is unchanged since it was sealed, with the answer explained.
import type { Verdict } from '../../api/other-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Mark } from '../../components/status.tsx';
import { ExactTime } from '../../components/time.tsx';
import { t } from '../../words/t.ts';

export function Verify() {
  const verify = useAction<Verdict>();
  const mayVerify = useMay('operator');
  const verdict = verify.data;
  return (
    <section className="card mb-4 flex flex-wrap content-start items-start gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-80">
        {verdict === undefined ? (
          <>
            <h2 className="font-semibold">{t('verify.title')}</h2>
            <p className="mt-0.5 text-ink-2">{t('verify.meaning')}</p>
          </>
        ) : (
          <Outcome verdict={verdict} />
        )}
      </div>
      {mayVerify ? (
        <Button
          icon="shield"
          busy={verify.isPending}
          onClick={() => verify.mutate({ path: '/audit/verify', options: { body: {} }, done: '' })}
        >
          {t('verify.button')}
        </Button>
      ) : null}
    </section>
  );
}

function Outcome({ verdict }: { verdict: Verdict }) {
  return (
    <div role="status" className="print:block!">
      <h2
        className={`flex items-center gap-2 font-semibold ${verdict.ok ? 'text-good' : 'text-bad'}`}
      >
        <Mark tone={verdict.ok ? 'good' : 'bad'} shape={verdict.ok ? 'check' : 'triangle'} />
        {t(verdict.ok ? 'verify.ok' : 'verify.bad')}
      </h2>
      {verdict.words.map((line) => (
        <p key={line} className="mt-1 break-words">
          {line}
        </p>
      ))}
      <p className="mt-1 text-sm text-ink-3">
        <ExactTime iso={verdict.verified_time} />
      </p>
      {verdict.last_head === null ? null : (
        <p className="mt-1 flex flex-wrap items-center gap-1 text-sm text-ink-2">
          {t('verify.head', { number: verdict.last_head.head_no })}
          <span className="mono break-all">{verdict.last_head.hash}</span>
          <CopyButton text={verdict.last_head.hash} label={t('verify.hash')} />
        </p>
      )}
    </div>
  );
}
