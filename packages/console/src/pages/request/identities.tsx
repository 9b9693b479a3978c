// The identities of the request, masked. Who may reveal one, for a reason that is recorded, the server says.
import { type FormEvent, useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { MaskedIdentity, RequestPage } from '../../api/request-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FailureLine } from '../../components/failure.tsx';
import { TextArea } from '../../components/field.tsx';
import { t, tName } from '../../words/t.ts';

export function Identities({ request }: { request: RequestPage }) {
  const [revealing, setRevealing] = useState<MaskedIdentity>();
  const mayReveal = request.actions.includes('reveal');
  return (
    <Card title={t('identities.title')}>
      {request.identity_list.length === 0 ? (
        <p className="text-ink-2">{t('identities.shredded')}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {request.identity_list.map((identity) => (
            <li key={identity.identity} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="mono block truncate">{identity.masked}</span>
                <span className="block text-xs text-ink-3">
                  {tName('identity', identity.identity_type)}
                  {identity.source === null || identity.source === 'request'
                    ? ''
                    : ` · ${t('identities.by', { by: identity.source })}`}
                </span>
              </span>
              {mayReveal ? (
                <IconButton
                  icon="eye"
                  label={t('reveal.open')}
                  className="no-print"
                  onClick={() => setRevealing(identity)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {revealing === undefined ? null : (
        <Reveal request={request} identity={revealing} onClose={() => setRevealing(undefined)} />
      )}
    </Card>
  );
}

interface RevealProps {
  readonly request: RequestPage;
  readonly identity: MaskedIdentity;
  readonly onClose: () => void;
}

/** Only this dialog holds the value; closing it drops the value. */
function Reveal({ request, identity, onClose }: RevealProps) {
  const [reason, setReason] = useState('');
  const [value, setValue] = useState<string>();
  const reveal = useAction<{ identity_value: string }>({
    onDone: ({ identity_value: revealed }) => setValue(revealed),
    showsFailure: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    reveal.mutate({
      path: `${requestPath(request.controller_id, request.subject_request_id)}/reveal`,
      options: { body: { identity: identity.identity, reason } },
      done: '',
    });
  }
  return (
    <Dialog open onClose={onClose} title={t('reveal.title')} description={t('reveal.meaning')}>
      {value === undefined ? (
        <form onSubmit={submit}>
          <TextArea
            label={t('reveal.reason')}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <FailureLine error={reveal.error} />
          <DialogActions>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" look="primary" icon="eye" busy={reveal.isPending}>
              {t('reveal.button')}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <p className="mono rounded-[7px] bg-sunken px-3 py-2 break-all">{value}</p>
      )}
    </Dialog>
  );
}
