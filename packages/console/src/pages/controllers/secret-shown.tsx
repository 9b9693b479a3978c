// A new secret, which is shown only once.
import type { NewSecret } from '../../api/other-types.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { t } from '../../words/t.ts';

export function SecretShown({ secret, onClose }: { secret: NewSecret; onClose: () => void }) {
  const rows: readonly (readonly [string, string])[] = [
    [t('clients.id'), secret.client_id],
    [t('secrets.secret'), secret.client_secret],
    [t('secrets.tokenUrl'), secret.token_url],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('secrets.shown')}
      description={t('secrets.shown.more')}
      wide
      keep
    >
      <dl className="divide-y rounded-[7px] border">
        {rows.map(([label, value]) => (
          <div key={label} className="flex items-center gap-3 py-2 pr-2 pl-3">
            <dt className="w-24 shrink-0 text-sm text-ink-2">{label}</dt>
            <dd className="flex min-w-0 flex-1 items-center gap-3">
              <span className="mono min-w-0 flex-1 break-all">{value}</span>
              <CopyButton text={value} label={label} />
            </dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t('secrets.kept')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
