// Stops all erasing at once, after a confirmation.
import { useState } from 'react';
import type { Pause } from '../../api/overview-types.ts';
import { useMay } from '../../api/session.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../words/t.ts';

export function PauseButton({ paused }: { paused: readonly Pause[] }) {
  const [asking, setAsking] = useState(false);
  const mayPause = useMay('operator');
  if (!mayPause || paused.some(({ target }) => target === null)) return null;
  return (
    <>
      <Button icon="pause" onClick={() => setAsking(true)}>
        {t('pause.button')}
      </Button>
      {asking ? (
        <AskDialog
          title={t('pause.question')}
          description={t('pause.meaning')}
          button={t('pause.button')}
          icon="pause"
          action={() => ({ path: '/pause', done: t('pause.paused') })}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
