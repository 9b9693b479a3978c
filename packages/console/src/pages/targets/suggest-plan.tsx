// A draft plan made from the tables and foreign keys of the database. It decides nothing.
import { useEffect } from 'react';
import { useAction } from '../../api/use-action.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureLine, Loading } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';

export function SuggestPlan({ target, onClose }: { target: string; onClose: () => void }) {
  const { mutate, data, error } = useAction<{ plan: string }>({ showsFailure: true });
  const path = `/targets/${encodeURIComponent(target)}/suggest`;
  useEffect(() => mutate({ path, done: '' }), [mutate, path]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('suggest.title', { target })}
      description={t('suggest.meaning')}
      wide
    >
      {data === undefined && error === null ? <Loading rows={5} /> : null}
      <FailureLine error={error} />
      {data === undefined ? null : <CodeBlock code={data.plan} label={t('plan.title')} />}
    </Dialog>
  );
}
