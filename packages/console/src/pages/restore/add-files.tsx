// Adds what files outside of the store know about the lost time: exports of the audit log, and receipts.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiAct } from '../../api/http.ts';
import { failureWords } from '../../components/failure.tsx';
import { type ChosenFile, FileButton } from '../../components/file-button.tsx';
import { say } from '../../components/toast.tsx';
import { t } from '../../words/t.ts';

/** In characters. The server takes 256 KiB in one call, and quotation marks are escaped there. */
const MAX_PART = 100_000;

export function AddFiles() {
  const client = useQueryClient();
  const add = useMutation({
    async mutationFn(files: readonly ChosenFile[]) {
      for (const { name, content } of files)
        for (const part of partsOf(content))
          await apiAct('/restore/review', { body: { files: [{ name, content: part }] } });
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

/** A receipt is one document and stays whole; an export is cut between two lines. */
function partsOf(content: string): string[] {
  if (content.length <= MAX_PART) return [content];
  const parts: string[] = [];
  let part = '';
  for (const line of content.split('\n')) {
    if (part !== '' && part.length + line.length > MAX_PART) {
      parts.push(part);
      part = '';
    }
    part += `${line}\n`;
  }
  return part.trim() === '' ? parts : [...parts, part];
}
