import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { t } from '../../words/t.ts';

interface RevokeDialogProps {
  readonly path: string;
  readonly isClient: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ path, isClient, onClose }: RevokeDialogProps) {
  const revoke = useAction({ onDone: onClose, showsFailure: true });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(isClient ? 'clients.revoke.question' : 'secrets.revoke.question')}
      description={t(isClient ? 'clients.revoke.meaning' : 'secrets.revoke.meaning')}
    >
      <FailureLine error={revoke.error} />
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          look="danger"
          busy={revoke.isPending}
          onClick={() => revoke.mutate({ path, done: t('revoked.done') })}
        >
          {t('revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
