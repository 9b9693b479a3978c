import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { TargetPage } from '../../api/target-types.ts';
import { useAction } from '../../api/use-action.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES, Button } from '../../components/button.tsx';
import { Icon } from '../../components/icons.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { t } from '../../words/t.ts';
import { ReleaseAll } from '../tasks/release-all.tsx';
import { EraseAgain } from './erase-again.tsx';
import { PersonPreview } from './person-preview.tsx';
import { SuggestPlan } from './suggest-plan.tsx';

const DATABASES = ['postgres', 'mysql', 'sqlite'];

type Open = 'pause' | 'preview' | 'release' | 'again' | 'suggest';

export function TargetActions({ target }: { target: TargetPage }) {
  const [open, setOpen] = useState<Open>();
  const mayAct = useMay('operator');
  const isAdmin = useMay('admin');
  const path = `/targets/${encodeURIComponent(target.name)}`;
  const resume = useAction();
  const close = () => setOpen(undefined);
  if (!mayAct || target.state === 'removed') return null;
  const rest = [
    ...(target.backlog.held > 0 ? [['release', t('releaseAll.open')] as const] : []),
    ...(DATABASES.includes(target.connector) ? [['suggest', t('suggest.open')] as const] : []),
    ...(isAdmin ? [['again', t('again.do')] as const] : []),
  ];
  return (
    <>
      <Button icon="eye" aria-label={t('preview.person')} onClick={() => setOpen('preview')}>
        <span className="sm:hidden">{t('preview.button')}</span>
        <span className="hidden sm:inline">{t('preview.person')}</span>
      </Button>
      {target.pause === null ? (
        <Button icon="pause" onClick={() => setOpen('pause')}>
          {t('target.pause')}
        </Button>
      ) : (
        <Button
          icon="play"
          look="primary"
          busy={resume.isPending}
          onClick={() => resume.mutate({ path: `${path}/resume`, done: t('pause.resumed') })}
        >
          {t('target.resume')}
        </Button>
      )}
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
      {open === 'pause' ? (
        <AskDialog
          title={t('target.pause.question', { name: target.name })}
          description={t('target.pause.meaning')}
          button={t('target.pause')}
          icon="pause"
          action={() => ({ path: `${path}/pause`, done: t('pause.paused') })}
          onClose={close}
        />
      ) : null}
      {open === 'preview' ? <PersonPreview target={target} onClose={close} /> : null}
      {open === 'release' ? <ReleaseAll target={target.name} onClose={close} /> : null}
      {open === 'suggest' ? <SuggestPlan target={target.name} onClose={close} /> : null}
      {open === 'again' ? <EraseAgain target={target.name} onClose={close} /> : null}
    </>
  );
}
