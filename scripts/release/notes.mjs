// What CHANGELOG.md says about a version.

/** Its section without the heading; undefined where there is none. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^(?=## )/m);
  const headings = new RegExp(`^## \\[?${RegExp.escape(version)}\\]?(?: |$)`, 'm');
  const found = sections.find((section) => headings.test(section.split('\n')[0]));
  return found?.replace(/^## .*\n+/, '').trimEnd();
}
