import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icons.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

export const BUTTON_LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-edge hover:bg-hover',
  quiet: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-edge hover:bg-bad-soft hover:border-bad',
};

export const BUTTON =
  'inline-flex items-center justify-center gap-1.5 rounded-[7px] border font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55';
export const BUTTON_SIZES = { small: 'min-h-7 px-2 text-sm', usual: 'min-h-[2.125rem] px-3' };

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  readonly size?: keyof typeof BUTTON_SIZES;
  readonly icon?: IconName;
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children?: ReactNode;
}

export function Button({
  look = 'plain',
  size = 'usual',
  icon,
  busy = false,
  children,
  className = '',
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      // Not disabled while it is busy, because it would lose the focus.
      {...(busy && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
      aria-busy={busy}
      className={`${BUTTON} ${BUTTON_LOOKS[look]} ${BUTTON_SIZES[size]} ${className}`}
    >
      {busy ? <Icon name="refresh" className="size-3.5 animate-[turn_1s_linear_infinite]" /> : null}
      {!busy && icon !== undefined ? <Icon name={icon} className="size-3.5" /> : null}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** An icon-only button has its label as accessible name and tooltip. */
export function IconButton({ icon, label, className = '', ...others }: IconButtonProps) {
  return (
    <button
      type="button"
      {...others}
      aria-label={label}
      title={label}
      className={`inline-flex size-7 items-center justify-center rounded-[7px] text-ink-2 hover:bg-hover hover:text-ink ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
