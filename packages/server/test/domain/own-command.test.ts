import { afterEach, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { asTyped, noteHowItIsRun } from '../../src/domain/own-command.ts';

afterEach(() => noteHowItIsRun({}));

describe('a message that names a command', () => {
  const MESSAGE = 'unwrite: there is none; run "unwrite task list", or see unwrite.config.yaml';

  it('is shown as it is where the command is on the path', () => {
    noteHowItIsRun({ PATH: '/usr/bin' });
    expect(asTyped(MESSAGE)).toBe(MESSAGE);
  });

  it('names npx where npm runs the command, and only there where it can be typed', () => {
    noteHowItIsRun({ npm_command: 'exec' });
    expect(asTyped(MESSAGE)).toBe(
      'unwrite: there is none; run "npx unwrite task list", or see unwrite.config.yaml',
    );
    expect(asTyped('npx unwrite task list; /usr/bin/unwrite serve; unwrite proof key 1')).toBe(
      'npx unwrite task list; /usr/bin/unwrite serve; unwrite proof key 1',
    );
  });

  it('may name every command there is', async () => {
    noteHowItIsRun({ npm_command: 'exec' });
    const { commands } = await createProgram();
    for (const command of commands.map((it) => it.name()))
      expect(asTyped(`unwrite ${command}`)).toBe(`npx unwrite ${command}`);
  });
});
