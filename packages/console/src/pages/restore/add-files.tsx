// Adds what files outside the store know about the lost time: exports of the audit log, and receipts.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiAct } from '../../api/http.ts';
import { failureWords } from '../../components/failure.tsx';
import { type ChosenFile, FileButton } from '../../components/file-button.tsx';
import { say } from '../../components/toast.tsx';
import { t } from '../../words/t.ts';
import { partsOf } from './parts-of-file.ts';

export function AddFiles() {
  const client = useQueryClient();
  const add = useMutation({
    async mutationFn(files: readonly ChosenFile[]) {
      for (const { name, content } of files)
        for (const part of partsOf(content))
          await apiAct('/restore/review', {
            body: {
              files: [{ name: shown(name), content: part.content, first_line: part.firstLine }],
            },
          });
    },
    onSuccess: () => say(t('restore.reviewed')),
    onError: (error) => say(failureWords(error), { bad: true }),
    onSettled: () => void client.invalidateQueries(),
  });
  return (
    <FileButton
      label={t('restore.addFiles')}
      size="small"
      busy={add.isPending}
      onFiles={(files) => add.mutate(files)}
    />
  );
}

const MAX_NAME = 100;

/** The name is shown in the list, so characters that could disguise it are removed. */
function shown(name: string): string {
  return [...name.replaceAll(/\p{C}/gu, '')].slice(0, MAX_NAME).join('') || t('restore.file');
}
