/** Keyboard shortcuts are off while the person types in a field. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const element = event.target instanceof HTMLElement ? event.target : null;
  return element?.closest('input, textarea, select, [contenteditable]') != null;
}
