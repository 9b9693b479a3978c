import { AskDialog } from '../../components/ask-dialog.tsx';
import { t } from '../../words/t.ts';

interface RevokeDialogProps {
  readonly path: string;
  readonly isClient: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ path, isClient, onClose }: RevokeDialogProps) {
  return (
    <AskDialog
      title={t(isClient ? 'clients.revoke.question' : 'secrets.revoke.question')}
      description={t(isClient ? 'clients.revoke.meaning' : 'secrets.revoke.meaning')}
      button={t('revoke')}
      danger
      action={() => ({ path, done: t('revoked.done') })}
      onClose={onClose}
    />
  );
}
