/**
 * Ends the process of a module and the programs that it started. They would otherwise outlive it, more of them with each
 * try. Only a program that the module has put into a group of its own stays.
 */
export function killGroup(pid: number): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended, and left nothing.
  }
}

/** Whether a process that is started `detached` leads a group of its own. */
export const HAS_GROUPS = process.platform !== 'win32';
