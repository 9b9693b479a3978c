// A module target: erases a person's files and folders from a tree
//
//   ROOT/<controller id>/<customer id>/…
//
// Copy it and change it; docs/targets-module.md explains every part. Unwrite runs it as it stands, by
// Node's type stripping, so it uses no syntax that needs a compiler.
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { CreateConnector, KeyRow, Subject } from 'unwrite/module';

/** Paths from the root. Folders count too: the name of the topmost is the customer's id. */
interface Entries {
  readonly files: string[];
  /** The deepest first, so that each is empty when its turn comes. */
  readonly folders: string[];
}

const createConnector: CreateConnector = ({ root }) => {
  if (typeof root !== 'string' || !isAbsolute(root))
    throw new TypeError('options.root must be an absolute path');
  const absolute = (path: string) => join(root, path);

  async function entriesOf({ controllerId, identities }: Subject): Promise<Entries> {
    const entries: Entries = { files: [], folders: [] };
    // A controller sees its own part of the tree alone: its request never touches another's files.
    const names = await namesIn(absolute(controllerId));
    for (const identity of identities) {
      if (identity.type !== 'controller_customer_id') continue;
      // Looked up in the list of names, never opened by name: "../globex/7" is the name of nothing,
      // and on a disk that ignores case "ANNA" is still not "anna".
      const name = names.find((each) => each === identity.reveal());
      if (name !== undefined) await collect(join(controllerId, name), entries);
    }
    return entries;
  }

  /** A link is a file: it goes, and what it leads to stays. */
  async function collect(path: string, entries: Entries): Promise<void> {
    if (!(await lstat(absolute(path))).isDirectory()) {
      entries.files.push(path);
      return;
    }
    for (const name of await readdir(absolute(path))) await collect(join(path, name), entries);
    entries.folders.push(path);
  }

  async function eraseAll(
    rows: readonly KeyRow[] = [],
    remove: (path: string) => Promise<void>,
  ): Promise<number> {
    let erased = 0;
    for (const [path] of rows) if (path && (await isRemoved(remove(absolute(path))))) erased++;
    return erased;
  }

  return {
    // Its lines are shown to the operator. Touch nothing here.
    async check() {
      const found = await lstat(root).catch(() => undefined);
      return found?.isDirectory()
        ? [{ level: 'ok', subject: 'root', message: 'the folder is there' }]
        : [
            {
              level: 'problem',
              subject: 'root',
              message: 'is not a folder; correct root in options',
            },
          ];
    },

    // One answer for each subject, in their order; here and below.
    preview: (subjects) =>
      Promise.all(
        subjects.map(async (subject) => {
          const isUsable = subject.identities.some(({ type }) => type === 'controller_customer_id');
          if (!isUsable) return { outcome: 'unmatched' };
          const { files, folders } = await entriesOf(subject);
          return {
            outcome: 'found',
            // The names are yours and stand in the evidence. Never a person's, never a path.
            counts: { files: files.length, folders: folders.length },
            // Sealed until erase gets them back.
            keys: { files: files.map((path) => [path]), folders: folders.map((path) => [path]) },
          };
        }),
      ),

    // Exactly what the preview found: a file that came later remains, and verify says so. A batch may
    // be repeated after a crash, so what has gone already is no error and is not counted.
    erase: (orders) =>
      Promise.all(
        orders.map(async ({ keys }) => {
          const files = await eraseAll(keys.files, unlink);
          const folders = await eraseAll(keys.folders, rmdir);
          return { outcome: 'erased', counts: { files, folders } };
        }),
      ),

    // Looks again as if for the first time.
    verify: (orders) =>
      Promise.all(
        orders.map(async (order) => {
          const { files, folders } = await entriesOf(order);
          if (files.length + folders.length === 0) return { outcome: 'gone', how: 'requeried' };
          return { outcome: 'remains', counts: { files: files.length, folders: folders.length } };
        }),
      ),

    // A module with a connection ends it here.
    close: async () => undefined,
  };
};

export default createConnector;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    // Whatever is thrown: Unwrite tells the operator that the module threw, waits, and tries again.
    throw error;
  }
}

async function isRemoved(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTEMPTY') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
