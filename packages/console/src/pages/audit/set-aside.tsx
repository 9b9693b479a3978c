// Rows and heads that were set aside because Unwrite did not write them: shown here until an admin has seen them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { setAsideQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tn } from '../../words/t.ts';

export function SetAside() {
  const { data } = useQuery(setAsideQuery);
  const [removing, setRemoving] = useState(false);
  const isAdmin = useMay('admin');
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section className="card mb-4 border-bad/40">
      <header className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-t-[10px] border-b bg-bad-soft px-4 py-3">
        <span className="pt-1">
          <Mark tone="bad" shape="triangle" />
        </span>
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-semibold text-bad">{tn('setAside.title', items.length)}</h2>
          <p className="text-sm">{t('setAside.meaning')}</p>
        </div>
        {isAdmin ? (
          <Button look="danger" onClick={() => setRemoving(true)}>
            {t('setAside.remove')}
          </Button>
        ) : null}
      </header>
      <ul className="max-h-80 divide-y overflow-y-auto">
        {items.map((it) => (
          <li key={`${it.kind} ${it.number}`} className="px-4 py-2 text-sm">
            <p className="flex flex-wrap gap-x-3">
              <span className="font-medium">
                {it.kind} {it.number}
              </span>
              <span className="text-ink-3">
                {t('setAside.found')} <Time iso={it.time} />
              </span>
            </p>
            <p className="mono break-all text-ink-2">{JSON.stringify(it.content)}</p>
          </li>
        ))}
      </ul>
      {removing ? (
        <AskDialog
          title={t('setAside.question')}
          description={t('setAside.question.more')}
          button={t('setAside.remove')}
          danger
          action={() => ({ path: '/audit/set-aside/remove', done: t('setAside.removed') })}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </section>
  );
}
