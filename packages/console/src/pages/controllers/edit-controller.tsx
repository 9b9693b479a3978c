import type { ControllerPage } from '../../api/other-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { t } from '../../words/t.ts';
import { useControllerFields } from './controller-fields.tsx';

interface EditControllerProps {
  readonly controller: ControllerPage;
  readonly onClose: () => void;
}

export function EditController({ controller, onClose }: EditControllerProps) {
  const { values, fields } = useControllerFields(controller);
  return (
    <AskDialog
      title={t('controllers.edit')}
      button={t('save')}
      action={() => ({
        path: `/controllers/${encodeURIComponent(controller.controller_id)}`,
        options: { method: 'PATCH', etag: controller.etag, body: values },
        done: t('saved'),
      })}
      onClose={onClose}
    >
      {fields}
    </AskDialog>
  );
}
