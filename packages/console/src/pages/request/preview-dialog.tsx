// What would be erased now, counted at every target. Nothing is changed.
import { useEffect } from 'react';
import type { Preview } from '../../api/request-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FailureLine, Loading } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';
import { PreviewResult } from '../tasks/preview-result.tsx';

export function PreviewDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { mutate, data, error } = useAction<Preview>({ showsFailure: true });
  useEffect(() => mutate({ path: `${path}/preview`, done: '' }), [mutate, path]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('preview.title')}
      description={t('preview.meaning')}
      wide
    >
      {data === undefined && error === null ? <Loading rows={4} /> : null}
      <FailureLine error={error} />
      {data === undefined ? null : <PreviewResult preview={data} />}
    </Dialog>
  );
}
