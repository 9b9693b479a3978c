import { useLiveState } from '../api/live.ts';
import { t } from '../words/t.ts';

const LOOKS = {
  live: { dot: 'bg-good', words: t('live.live'), title: t('live.live.title') },
  polling: { dot: 'bg-warn', words: t('live.polling'), title: t('live.polling.title') },
  failing: { dot: 'bg-bad', words: t('live.failing'), title: t('live.failing.title') },
  away: { dot: 'bg-bad', words: t('live.away'), title: t('live.away.title') },
  connecting: { dot: 'bg-idle', words: t('live.connecting'), title: t('live.connecting.title') },
} as const;

export function LiveMark() {
  const { dot, words, title } = LOOKS[useLiveState()];
  return (
    <span title={title} className="flex items-center gap-2 px-2.5 text-xs text-ink-3">
      <span className={`size-2 rounded-full ${dot}`} />
      {words}
    </span>
  );
}
