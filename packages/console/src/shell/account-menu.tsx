// Who is signed in, the choice of light or dark, and signing out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, apiAct } from '../api/http.ts';
import { sessionQuery } from '../api/session.ts';
import { failureWords } from '../components/failure.tsx';
import { Icon, type IconName } from '../components/icons.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { say } from '../components/toast.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../theme/theme.ts';
import { t, tName } from '../words/t.ts';
import { openHelp } from './search-and-keys.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import { goToSignIn } from './sign-in.ts';

const THEMES: readonly {
  readonly theme: ThemeChoice;
  readonly icon: IconName;
  readonly label: string;
}[] = [
  { theme: 'system', icon: 'screen', label: t('theme.system') },
  { theme: 'light', icon: 'sun', label: t('theme.light') },
  { theme: 'dark', icon: 'moon', label: t('theme.dark') },
];

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const choice = useThemeChoice();
  const [showsSessions, setShowsSessions] = useState(false);
  if (session === undefined) return null;
  async function signOut() {
    try {
      await apiAct('/sign-out');
    } catch (error) {
      // A session that has already ended needs no sign-out.
      if (!(error instanceof ApiFailure && error.status === 401)) {
        say(t('account.notSignedOut', { why: failureWords(error) }), { bad: true });
        return;
      }
    }
    client.clear();
    goToSignIn();
  }
  return (
    <>
      <Menu
        place={compact ? 'below' : 'above'}
        {...(compact && { label: t('account.label', { name: session.name }) })}
        buttonClass={`flex items-center gap-2.5 rounded-[7px] text-left hover:bg-hover ${compact ? 'size-9 justify-center' : 'w-full px-2.5 py-1.5'}`}
        button={<Person name={session.name} role={session.role} compact={compact} />}
      >
        <div className="px-2.5 pt-1.5 pb-1 text-xs break-words text-ink-3">
          {t('account.signedIn', { name: session.name, role: tName('role', session.role) })}
        </div>
        {THEMES.map(({ theme, icon, label }) => (
          <MenuItem key={theme} checked={theme === choice} onSelect={() => chooseTheme(theme)}>
            <Icon name={icon} />
            {label}
            {theme === choice ? (
              <Icon name="check" className="ml-auto size-3.5 text-accent" />
            ) : null}
          </MenuItem>
        ))}
        <hr className="my-1 border-line" />
        <MenuItem onSelect={openHelp}>
          <span className="w-4 text-center font-medium">?</span>
          {t('help.open')}
        </MenuItem>
        <MenuItem onSelect={() => setShowsSessions(true)}>
          <Icon name="person" />
          {t('account.sessions')}
        </MenuItem>
        <MenuItem onSelect={() => void signOut()}>
          <Icon name="close" />
          {t('account.signOut')}
        </MenuItem>
      </Menu>
      {showsSessions ? <SessionsDialog onClose={() => setShowsSessions(false)} /> : null}
    </>
  );
}

function Person({ name, role, compact }: { name: string; role: string; compact: boolean }) {
  return (
    <>
      <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase">
        {name.charAt(0)}
      </span>
      {compact ? null : (
        <span className="min-w-0">
          <span className="block truncate text-sm font-medium">{name}</span>
          <span className="block text-xs text-ink-3">{tName('role', role)}</span>
        </span>
      )}
    </>
  );
}
