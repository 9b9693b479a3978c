// A button that lets a person choose files, and gives their texts.
import { useRef } from 'react';
import { Button } from './button.tsx';
import type { IconName } from './icons.tsx';

export interface ChosenFile {
  readonly name: string;
  readonly content: string;
}

interface FileButtonProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly size?: 'small' | 'usual';
  readonly busy: boolean;
  readonly onFiles: (files: ChosenFile[]) => void;
}

/** Keeps a byte order mark, because a receipt's signature covers every byte. */
async function textOf(file: File): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
}

export function FileButton({
  label,
  icon = 'plus',
  size = 'usual',
  busy,
  onFiles,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  async function read(list: FileList | null) {
    const files = [...(list ?? [])];
    const texts = await Promise.all(files.map(textOf));
    // Reset, so that the same file can be chosen again.
    if (input.current !== null) input.current.value = '';
    if (files.length > 0)
      onFiles(files.map(({ name }, place) => ({ name, content: texts[place] ?? '' })));
  }
  return (
    <>
      <Button icon={icon} size={size} busy={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => void read(event.target.files)}
      />
    </>
  );
}
