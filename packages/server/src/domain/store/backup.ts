// Names of backups. A name says which store it is of and when its snapshot was taken: so a folder of backups needs no list.

export function backupNameOf(storeId: string, time: number, version: string): string {
  const written = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `unwrite-${written}-${storeId}-${version}.backup`;
}
