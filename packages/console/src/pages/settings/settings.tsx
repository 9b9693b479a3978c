// The configuration of this installation, and the health of the machine.
import { useMay } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { t } from '../../words/t.ts';
import { EffectiveSettings } from './effective-settings.tsx';
import { EventWebhookCard } from './event-webhook.tsx';
import { KeysCard } from './keys.tsx';
import { NodesCard } from './nodes.tsx';
import { ScriptAccess } from './script-access.tsx';
import { SystemCard } from './system.tsx';

export function SettingsPage() {
  const isAdmin = useMay('admin');
  return (
    <Page title={t('nav.settings')} lead={t('settings.lead')}>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:gap-5">
        <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
          <SystemCard />
          <EventWebhookCard />
          {isAdmin ? <ScriptAccess /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
          <NodesCard />
          <KeysCard />
        </div>
        <EffectiveSettings />
      </div>
    </Page>
  );
}
