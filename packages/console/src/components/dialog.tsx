// A question, or something to fill in. The focus goes in, stays in, and back to where it came from.
import { Dialog as Parts } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../words/t.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
  /** Shows what is shown only once: closed by its own button alone. */
  readonly keep?: boolean;
}

const FIELD = 'input:not([type="radio"], [type="file"]), textarea, select';

function focusField(event: Event): void {
  const field = (event.target as HTMLElement).querySelector<HTMLElement>(FIELD);
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

export function Dialog({ open, onClose, title, description, children, wide, keep }: DialogProps) {
  const focusBack = useFocusBack(open);
  const isTyped = useRef(false);
  if (!open) isTyped.current = false;
  const content = useLateFocus(open);
  return (
    <Parts.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 animate-[fade_120ms_ease-out] bg-black/45" />
        <Parts.Content
          ref={content}
          onOpenAutoFocus={focusField}
          onCloseAutoFocus={focusBack}
          onInput={() => {
            isTyped.current = true;
          }}
          // A click beside it is easily made by mistake.
          onInteractOutside={(event) => {
            if (keep || isTyped.current) event.preventDefault();
          }}
          onEscapeKeyDown={(event) => {
            if (keep) event.preventDefault();
          }}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={`card fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-1.5rem)] -translate-x-1/2 animate-[fade_140ms_ease-out] flex-col shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'}`}
        >
          <header className="flex items-start justify-between gap-3 px-5 pt-4">
            <Parts.Title className="text-lg font-semibold">{title}</Parts.Title>
            {keep ? null : (
              <Parts.Close asChild>
                <IconButton icon="close" label={t('close')} />
              </Parts.Close>
            )}
          </header>
          <div className="overflow-y-auto px-5 pt-1 pb-5">
            {description === undefined ? null : (
              <Parts.Description asChild>
                <div className="mb-4 text-ink-2">{description}</div>
              </Parts.Description>
            )}
            {children}
          </div>
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** Fields that are there only after something was read get the focus then, if nothing else was chosen. */
function useLateFocus(open: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (!open) isDone.current = false;
    const inside = content.current;
    const field = inside?.querySelector<HTMLElement>(FIELD);
    if (!open || isDone.current || !field) return;
    isDone.current = true;
    const { activeElement } = document;
    const isChosen = activeElement?.matches('form *') && inside?.contains(activeElement);
    if (!isChosen) field.focus();
  });
  return content;
}

/** No part of the dialog opened it, so where the focus came from is remembered before something inside takes it. */
function useFocusBack(open: boolean): (event: Event) => void {
  const opener = useRef<Element>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return (event) => {
    event.preventDefault();
    // Another dialog may have opened meanwhile, and has it.
    if (document.activeElement !== document.body) return;
    const from = opener.current;
    // What opened it may be gone with what was done.
    const isThere = from?.isConnected && from !== document.body;
    const place = isThere ? from : document.getElementById('content');
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
}

/** The last line of a dialog: what it does, and the way out. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-5 -mb-5 flex flex-wrap justify-end gap-2 bg-surface px-5 py-4">
      {children}
    </div>
  );
}
