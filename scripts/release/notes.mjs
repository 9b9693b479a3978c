// What CHANGELOG.md says about a version.

/** Its section without the heading; undefined where there is none. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^(?=## )/m);
  const found = sections.find((section) => /^## \[?([^\]\s]+)/.exec(section)?.[1] === version);
  return found?.replace(/^## .*\n+/, '').trimEnd();
}
