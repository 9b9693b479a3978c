import { Dialog } from '../components/dialog.tsx';
import { t } from '../words/t.ts';
import { PLACES } from './places.ts';

const KEYS: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['/'], t('help.search')],
  [['j'], t('help.next')],
  [['k'], t('help.previous')],
  [['Enter'], t('help.enter')],
  [['Esc'], t('help.escape')],
  [['?'], t('help.help')],
  ...PLACES.map(({ key, label }) => [['g', key], t('help.go', { place: label })] as const),
];

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={t('help.title')}>
      <dl className="mt-2 divide-y">
        {KEYS.map(([keys, words]) => (
          <div key={words} className="flex items-center justify-between py-1.5">
            <dt className="text-ink-2">{words}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded border border-edge bg-sunken px-1.5 text-center text-xs leading-5"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
