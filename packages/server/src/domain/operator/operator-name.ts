// The name of a person in the audit log. `client:` is for scripts, and no name looks like another's.

export const OPERATOR_NAME = /^(?!client:)[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u;
