import { useState } from 'react';
import type { Action } from '../../api/use-action.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { t, tName } from '../../words/t.ts';

export type KeyKind = 'master' | 'signing' | 'proof';

const PATHS: Readonly<Record<KeyKind, string>> = {
  master: '/keys/rotate',
  signing: '/signing-keys/rotate',
  proof: '/audit/key/rotate',
};

export function RotateKeys({ kind, onClose }: { kind: KeyKind; onClose: () => void }) {
  const [revoke, setRevoke] = useState(false);
  const action = (): Action => ({
    path: PATHS[kind],
    ...(kind === 'signing' && { options: { body: { revoke } } }),
    done: tName('keys.rotated', kind),
  });
  return (
    <AskDialog
      title={tName('keys.question', kind)}
      description={tName('keys.meaning', kind)}
      button={t('keys.rotate')}
      icon="key"
      action={action}
      onClose={onClose}
    >
      {kind === 'signing' ? (
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-1 accent-(--accent)"
            checked={revoke}
            onChange={({ target }) => setRevoke(target.checked)}
          />
          <span>
            {t('keys.revoke')}
            <span className="block text-sm text-ink-2">{t('keys.revoke.meaning')}</span>
          </span>
        </label>
      ) : null}
    </AskDialog>
  );
}
