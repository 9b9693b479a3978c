// The actions on a whole request that its state and the person's role allow.
import { useState } from 'react';
import { requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES, Button } from '../../components/button.tsx';
import { Icon } from '../../components/icons.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { t, tn } from '../../words/t.ts';
import { PlaceHold } from '../legal-holds/place-hold.tsx';
import { AddIdentities } from './add-identities.tsx';
import { CancelDialog, ExtendDialog } from './end-or-extend.tsx';
import { PreviewDialog } from './preview-dialog.tsx';

type Open = 'start' | 'identities' | 'preview' | 'cancel' | 'extend' | 'hold' | undefined;

export function RequestActions({ request }: { request: RequestPage }) {
  const [open, setOpen] = useState<Open>();
  const mayAct = useMay('operator');
  const path = requestPath(request.controller_id, request.subject_request_id);
  const retry = useAction<{ tasks: number }>();
  const can = (action: RequestPage['actions'][number]) =>
    mayAct && request.actions.includes(action);
  const close = () => setOpen(undefined);
  const rest = [
    ...(can('hold') ? [['hold', t('legalHold.place')] as const] : []),
    ...(can('extend') ? [['extend', t('extend.button')] as const] : []),
    ...(can('cancel') ? [['cancel', t('cancelRequest.button')] as const] : []),
  ];
  return (
    <>
      <Button icon="print" look="quiet" onClick={() => print()}>
        {t('print')}
      </Button>
      {can('preview') ? (
        <Button icon="eye" onClick={() => setOpen('preview')}>
          {t('preview.button')}
        </Button>
      ) : null}
      {can('identities') ? (
        <Button icon="plus" onClick={() => setOpen('identities')}>
          {t('identities.add')}
        </Button>
      ) : null}
      {can('retry') ? (
        <Button
          icon="refresh"
          busy={retry.isPending}
          onClick={() =>
            retry.mutate({
              path: `${path}/retry`,
              options: { etag: request.etag },
              done: tn('retry.done', 1),
            })
          }
        >
          {t('do.retry')}
        </Button>
      ) : null}
      {can('start') ? (
        <Button icon="play" look="primary" onClick={() => setOpen('start')}>
          {t('start.button')}
        </Button>
      ) : null}
      {rest.length === 0 ? null : (
        <Menu
          place="below"
          label={t('moreActions')}
          buttonClass={`${BUTTON} ${BUTTON_LOOKS.plain} ${BUTTON_SIZES.usual}`}
          button={<Icon name="more" />}
        >
          {rest.map(([what, label]) => (
            <MenuItem key={what} onSelect={() => setOpen(what)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
      {open === 'hold' ? <PlaceHold request={request} onClose={close} /> : null}
      {open === 'cancel' ? <CancelDialog request={request} onClose={close} /> : null}
      {open === 'extend' ? <ExtendDialog request={request} onClose={close} /> : null}
      {open === 'start' ? <StartDialog request={request} onClose={close} /> : null}
      {open === 'identities' ? <AddIdentities request={request} onClose={close} /> : null}
      {open === 'preview' ? <PreviewDialog path={path} onClose={close} /> : null}
    </>
  );
}

function StartDialog({ request, onClose }: { request: RequestPage; onClose: () => void }) {
  const path = `${requestPath(request.controller_id, request.subject_request_id)}/start`;
  return (
    <AskDialog
      title={t('start.question')}
      description={t('start.meaning')}
      button={t('start.button')}
      icon="play"
      action={() => ({ path, options: { etag: request.etag }, done: t('start.done') })}
      onClose={onClose}
    />
  );
}
