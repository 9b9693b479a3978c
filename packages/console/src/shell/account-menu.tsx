// Who is signed in, light or dark, and the way out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { apiAct } from '../api/http.ts';
import { sessionQuery } from '../api/session.ts';
import { Icon, type IconName } from '../components/icons.tsx';
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
const ITEM =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none data-[highlighted]:bg-hover cursor-pointer';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const choice = useThemeChoice();
  const [showsSessions, setShowsSessions] = useState(false);
  if (session === undefined) return null;
  async function signOut() {
    await apiAct('/sign-out').catch(() => undefined);
    client.clear();
    goToSignIn();
  }
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          {...(compact && { 'aria-label': t('account.label', { name: session.name }) })}
          className={`flex items-center gap-2.5 rounded-[7px] text-left hover:bg-hover ${compact ? 'size-9 justify-center' : 'w-full px-2.5 py-1.5'}`}
        >
          <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase">
            {session.name.charAt(0)}
          </span>
          {compact ? null : (
            <span className="min-w-0">
              <span className="block truncate text-sm font-medium">{session.name}</span>
              <span className="block text-xs text-ink-3">{tName('role', session.role)}</span>
            </span>
          )}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="start"
            side={compact ? 'bottom' : 'top'}
            sideOffset={6}
            collisionPadding={8}
            className="card z-50 w-52 p-1 text-sm shadow-float"
          >
            <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3">
              {t('account.signedIn', { name: session.name, role: tName('role', session.role) })}
            </DropdownMenu.Label>
            <DropdownMenu.RadioGroup
              value={choice}
              onValueChange={(value) => chooseTheme(value as ThemeChoice)}
            >
              {THEMES.map(({ theme, icon, label }) => (
                <DropdownMenu.RadioItem key={theme} value={theme} className={ITEM}>
                  <Icon name={icon} />
                  {label}
                  <DropdownMenu.ItemIndicator className="ml-auto">
                    <Icon name="check" className="size-3.5 text-accent" />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            <DropdownMenu.Separator className="my-1 h-px bg-line" />
            <DropdownMenu.Item className={ITEM} onSelect={openHelp}>
              <span className="w-4 text-center font-medium">?</span>
              {t('help.open')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => setShowsSessions(true)}>
              <Icon name="person" />
              {t('account.sessions')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => void signOut()}>
              <Icon name="close" />
              {t('account.signOut')}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {showsSessions ? <SessionsDialog onClose={() => setShowsSessions(false)} /> : null}
    </>
  );
}
