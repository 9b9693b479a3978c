// The evidence of a controller as one archive. The browser downloads it by itself, however large it is.
import { useState } from 'react';
import { apiAddress } from '../../api/http.ts';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES, Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icons.tsx';
import { t } from '../../words/t.ts';

export function ExportEvidence({
  controllerId,
  onClose,
}: {
  controllerId: string;
  onClose: () => void;
}) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [full, setFull] = useState(false);
  const path = `/controllers/${encodeURIComponent(controllerId)}/export`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('export.question', { controller: controllerId })}
      description={t('export.meaning')}
    >
      <div className="grid grid-cols-2 gap-3">
        <div>
          <TextField
            type="date"
            max="9999-12-31"
            label={t('export.from')}
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        </div>
        <div>
          <TextField
            type="date"
            max="9999-12-31"
            label={t('export.to')}
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
      </div>
      <label className="mt-3 flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-1 accent-(--accent)"
          checked={full}
          onChange={({ target }) => setFull(target.checked)}
        />
        <span>
          {t('export.full')}
          <span className="block text-sm text-ink-2">{t('export.full.meaning')}</span>
        </span>
      </label>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <a
          href={apiAddress(path, {
            ...(from !== '' && { from }),
            ...(to !== '' && { to }),
            ...(full && { full: 'true' }),
          })}
          download
          className={`${BUTTON} ${BUTTON_LOOKS.primary} ${BUTTON_SIZES.usual}`}
          // Once the browser has followed it.
          onClick={() => setTimeout(onClose)}
        >
          <Icon name="download" className="size-3.5" />
          {t('export.download')}
        </a>
      </DialogActions>
    </Dialog>
  );
}
