// Whether the audit log is unchanged since it was sealed, with the answer explained. If it was changed, an admin can
// accept that.
import { useState } from 'react';
import type { Verdict } from '../../api/other-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Mark } from '../../components/status.tsx';
import { ExactTime } from '../../components/time.tsx';
import { t } from '../../words/t.ts';
import { AcceptDamage } from './accept-damage.tsx';

export function Verify() {
  const verify = useAction<Verdict>();
  const mayVerify = useMay('operator');
  const isAdmin = useMay('admin');
  const [accepting, setAccepting] = useState(false);
  const verdict = verify.data;
  const run = () => verify.mutate({ path: '/audit/verify', options: { body: {} }, done: '' });
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
        <Button icon="shield" busy={verify.isPending} onClick={run}>
          {t('verify.button')}
        </Button>
      ) : null}
      {verdict?.ok === false && isAdmin ? (
        <Button look="danger" onClick={() => setAccepting(true)}>
          {t('damage.open')}
        </Button>
      ) : null}
      {accepting ? <AcceptDamage onClose={() => setAccepting(false)} onDone={run} /> : null}
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
      {[...verdict.words, ...(verdict.ok ? [] : verdict.accepted)].map((line) => (
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
