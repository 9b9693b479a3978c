// The six main pages.
import type { IconName } from '../components/icons.tsx';
import { t } from '../words/t.ts';

interface Place {
  readonly to: '/' | '/requests' | '/targets' | '/controllers' | '/audit' | '/settings';
  readonly icon: IconName;
  readonly label: string;
  /** The key to press after `g`. */
  readonly key: string;
}

export const PLACES: readonly Place[] = [
  { to: '/', icon: 'overview', label: t('nav.overview'), key: 'o' },
  { to: '/requests', icon: 'requests', label: t('nav.requests'), key: 'r' },
  { to: '/targets', icon: 'targets', label: t('nav.targets'), key: 't' },
  { to: '/controllers', icon: 'controllers', label: t('nav.controllers'), key: 'c' },
  { to: '/audit', icon: 'audit', label: t('nav.audit'), key: 'a' },
  { to: '/settings', icon: 'settings', label: t('nav.settings'), key: 's' },
];
