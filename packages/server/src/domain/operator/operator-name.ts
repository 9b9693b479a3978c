// Rules for names of people in the audit log. `client:` is reserved for scripts, and no name looks like another.

export const OPERATOR_NAME = /^(?!client:)[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u;
