// Takes over the changed settings, without a restart.
import { useState } from 'react';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../words/t.ts';

export function ReloadSettings() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('settings.reload')}
      </Button>
      {isOpen ? (
        <AskDialog
          title={t('settings.reload.question')}
          description={t('settings.reload.meaning')}
          button={t('settings.reload')}
          action={() => ({ path: '/settings/reload', done: t('settings.reloaded') })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
