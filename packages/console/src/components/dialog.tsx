// A question, or a form. The focus moves into the dialog, stays in it, and returns afterwards.
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
  /** The dialog shows something that is shown only once, so only its own button closes it. */
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
          // A click outside is easily made by mistake.
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
          <div className="overflow-y-auto rounded-b-[inherit] px-5 pt-1 pb-5">
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

/** Fields that appear after something was read get the focus then, unless it has been moved. */
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

/** Dialogs are opened from outside, so the focused element is remembered before the dialog takes the focus. */
function useFocusBack(open: boolean): (event: Event) => void {
  const opener = useRef<Element>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return (event) => {
    event.preventDefault();
    // Another dialog may have opened meanwhile and taken the focus.
    if (document.activeElement !== document.body) return;
    const from = opener.current;
    // The action may have removed the element that opened the dialog.
    const isThere = from?.isConnected && from !== document.body;
    const place = isThere ? from : document.getElementById('content');
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
}

/** The last line of a dialog: its action, and Cancel. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-5 -mb-5 flex flex-wrap justify-end gap-2 bg-surface px-5 py-4">
      {children}
    </div>
  );
}
