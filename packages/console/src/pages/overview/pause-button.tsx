// Stops all erasing at once, after a question.
import { useState } from 'react';
import type { Pause } from '../../api/overview-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';

export function PauseButton({ paused }: { paused: readonly Pause[] }) {
  const [asking, setAsking] = useState(false);
  const pause = useAction({ onDone: () => setAsking(false), showsFailure: true });
  const mayPause = useMay('operator');
  if (!mayPause || paused.some(({ target }) => target === null)) return null;
  return (
    <>
      <Button icon="pause" onClick={() => setAsking(true)}>
        {t('pause.button')}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('pause.question')}
        description={t('pause.meaning')}
      >
        <FailureLine error={pause.error} />
        <DialogActions>
          <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
          <Button
            look="primary"
            icon="pause"
            busy={pause.isPending}
            onClick={() => pause.mutate({ path: '/pause', done: t('pause.paused') })}
          >
            {t('pause.button')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
