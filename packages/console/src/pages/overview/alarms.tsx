import type { Alarm } from '../../api/overview-types.ts';
import { Card } from '../../components/card.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName } from '../../words/t.ts';

const SHOWN = 5;

export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return null;
  return (
    <Card flush title={t('alarms.title')} aside={t('alarms.aside')}>
      <ul className="divide-y">
        {alarms.slice(0, SHOWN).map((alarm) => (
          <li key={alarm.alarm} className="flex gap-2.5 px-4 py-2.5">
            <span className="pt-1">
              <Mark tone="bad" shape="triangle" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex justify-between gap-3">
                <span className="font-medium">{tName('alarm', alarm.kind)}</span>
                <Time iso={alarm.raised_time} className="text-sm text-ink-3" />
              </p>
              <p className="text-sm break-words text-ink-2">{alarm.message}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
