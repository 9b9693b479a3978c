/** Whether a target has a secret written out in the file, instead of ${NAME}. */
export function hasWrittenSecret(targets: unknown): boolean {
  return membersOf(targets).some(([, target]) =>
    membersOf(target).some(([name, value]) => {
      if (name === 'url') return isWritten(passwordIn(value));
      if (SECRETS.has(name)) return isWritten(value);
      if (name === 'secrets') return membersOf(value).some(([, it]) => isWritten(it));
      const isNested = name === 'basic' || name === 'oauth';
      return isNested && membersOf(value).some(([key, it]) => isPassword(key, it));
    }),
  );
}

const SECRETS = new Set(['hmac', 'bearer', 'secret_key', 'session_token']);

const isPassword = (name: string, value: unknown) =>
  (name === 'password' || name === 'client_secret') && isWritten(value);

function isWritten(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('${');
}

function passwordIn(url: unknown): string {
  if (typeof url !== 'string' || url.startsWith('${') || !URL.canParse(url)) return '';
  return new URL(url).password.replaceAll('%7B', '{');
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
