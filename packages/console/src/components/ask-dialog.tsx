// A question before something is done: what it means, perhaps something to fill in, and the button that does it.
import type { FormEvent, ReactNode } from 'react';
import { type Action, useAction } from '../api/use-action.ts';
import { t } from '../words/t.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FailureLine } from './failure.tsx';
import type { IconName } from './icons.tsx';

interface AskDialogProps<T> {
  readonly title: string;
  readonly description?: ReactNode;
  readonly button: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly disabled?: boolean;
  readonly action: () => Action;
  readonly onClose: () => void;
  readonly onDone?: (answer: T) => void;
  /** Set if `onDone` decides that. */
  readonly staysOpen?: boolean;
  readonly children?: ReactNode;
}

export function AskDialog<T = unknown>(props: AskDialogProps<T>) {
  const { title, description, button, icon, danger = false, action, onClose, onDone } = props;
  const act = useAction<T>({
    showsFailure: true,
    onDone: (answer) => {
      if (!props.staysOpen) onClose();
      onDone?.(answer);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    act.mutate(action());
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      wide={props.wide ?? false}
    >
      <form onSubmit={submit}>
        {props.children}
        <FailureLine error={act.error} />
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            look={danger ? 'danger' : 'primary'}
            {...(icon !== undefined && { icon })}
            busy={act.isPending}
            disabled={props.disabled}
          >
            {button}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
