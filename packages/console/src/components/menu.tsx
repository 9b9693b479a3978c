// A button and the list that it opens: arrows move, Enter chooses, Escape or a click elsewhere closes. Its position is
// fixed, so nothing has to be measured.
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

const ITEM =
  'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none hover:bg-hover focus:bg-hover';
const ITEMS = '[role=menuitem],[role=menuitemradio]';
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count - 1 : at - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

const CloseMenu = createContext<() => void>(() => undefined);

interface MenuProps {
  readonly button: ReactNode;
  readonly buttonClass: string;
  /** Accessible name of a button that shows only an icon. */
  readonly label?: string;
  readonly place: 'above' | 'below';
  readonly children: ReactNode;
}

export function Menu({ button, buttonClass, label, place, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  const items = () => [...(frame.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];

  function close() {
    setOpen(false);
    trigger.current?.focus();
  }
  function onKey(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    if (step === undefined || !open) return;
    event.preventDefault();
    const all = items();
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  }
  useEffect(() => {
    if (!open) return;
    frame.current?.querySelector<HTMLElement>(ITEMS)?.focus();
    const outside = ({ target }: PointerEvent) =>
      frame.current?.contains(target as Node) || setOpen(false);
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu in it
    <div ref={frame} className="relative" onKeyDown={onKey}>
      <button
        ref={trigger}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        {...(label !== undefined && { 'aria-label': label })}
        className={buttonClass}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div
          id={id}
          role="menu"
          className={`card absolute z-50 w-52 p-1 text-sm shadow-float ${place === 'above' ? 'bottom-full left-0 mb-1.5' : 'top-full right-0 mt-1.5'}`}
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </div>
      ) : null}
    </div>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  /** Set for an item of a group in which one is chosen. */
  readonly checked?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, checked, children }: MenuItemProps) {
  const close = useContext(CloseMenu);
  const select = () => {
    close();
    onSelect();
  };
  return checked === undefined ? (
    <button type="button" role="menuitem" tabIndex={-1} className={ITEM} onClick={select}>
      {children}
    </button>
  ) : (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={checked}
      tabIndex={-1}
      className={ITEM}
      onClick={select}
    >
      {children}
    </button>
  );
}
