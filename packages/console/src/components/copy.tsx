import { useState } from 'react';
import { t } from '../words/t.ts';
import { Icon } from './icons.tsx';

const SHOWN_MS = 1600;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  }
  const words = copied ? t('copied') : t('copy', { what: label });
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={words}
      title={words}
      className="no-print inline-flex size-6 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
    >
      <Icon name={copied ? 'check' : 'copy'} className={`size-3.5 ${copied ? 'text-good' : ''}`} />
    </button>
  );
}
