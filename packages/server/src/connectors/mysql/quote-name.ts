/** One name, not a path of several. */
export function quoteMysqlName(name: unknown): string {
  return `\`${String(name).replaceAll('`', '``')}\``;
}
