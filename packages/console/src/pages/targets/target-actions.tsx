import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { TargetPage } from '../../api/target-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';
import { PersonPreview } from './person-preview.tsx';

export function TargetActions({ target }: { target: TargetPage }) {
  const [open, setOpen] = useState<'pause' | 'preview'>();
  const mayAct = useMay('operator');
  const path = `/targets/${encodeURIComponent(target.name)}`;
  const act = useAction({ onDone: () => setOpen(undefined), showsFailure: open === 'pause' });
  if (!mayAct || target.state === 'removed') return null;
  return (
    <>
      <Button icon="eye" onClick={() => setOpen('preview')}>
        {t('preview.person')}
      </Button>
      {target.pause === null ? (
        <Button icon="pause" onClick={() => setOpen('pause')}>
          {t('target.pause')}
        </Button>
      ) : (
        <Button
          icon="play"
          look="primary"
          busy={act.isPending}
          onClick={() => act.mutate({ path: `${path}/resume`, done: t('pause.resumed') })}
        >
          {t('target.resume')}
        </Button>
      )}
      <Dialog
        open={open === 'pause'}
        onClose={() => setOpen(undefined)}
        title={t('target.pause.question', { name: target.name })}
        description={t('target.pause.meaning')}
      >
        <FailureLine error={act.error} />
        <DialogActions>
          <Button onClick={() => setOpen(undefined)}>{t('cancel')}</Button>
          <Button
            look="primary"
            icon="pause"
            busy={act.isPending}
            onClick={() => act.mutate({ path: `${path}/pause`, done: t('pause.paused') })}
          >
            {t('target.pause')}
          </Button>
        </DialogActions>
      </Dialog>
      {open === 'preview' ? (
        <PersonPreview target={target} onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  );
}
