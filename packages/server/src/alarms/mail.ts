// Sends a message by e-mail, through a server that the operator has configured.
import { hostAndPort } from '../domain/host-and-port.ts';
import type { Posted } from './webhook.ts';

const TIMEOUT_MS = 10_000;

/** Plain data, because it is passed to a thread. */
export interface Mail {
  /** smtps:// is TLS from the beginning; smtp:// with a password needs STARTTLS, without one it takes what is offered. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

export interface Letter {
  /** The same for every attempt to send it. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

export async function sendMail({ server, from, to }: Mail, letter: Letter): Promise<Posted> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(server);
  const isTls = url.protocol === 'smtps:';
  const port = url.port === '' ? (isTls ? 465 : 587) : Number(url.port);
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    secure: isTls,
    requireTLS: !isTls && user !== '',
    ...(user !== '' && { auth: { user, pass } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const where = hostAndPort(`http://${url.host}`, port) ?? 'the mail server';
  try {
    const { id, subject, text } = letter;
    const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '');
    const { rejected } = await transport.sendMail({
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (rejected.length === 0) return { ok: true, answer: `${where} accepted the message` };
    return { ok: false, reason: `${where} refused ${rejected.length} of the addresses` };
  } catch (error) {
    return { ok: false, reason: reasonOf(error, where) };
  } finally {
    transport.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'refused the user name and password',
  ETLS: 'could not set up TLS; use smtps://, or a server that offers STARTTLS',
  EENVELOPE: 'refused the sender or the addresses',
  ETIMEDOUT: `did not answer within ${TIMEOUT_MS / 1000} seconds`,
};

/** The server's own words may quote an address. */
function reasonOf(error: unknown, where: string): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const known = typeof code === 'string' ? REASONS[code] : undefined;
  const status = typeof responseCode === 'number' ? ` (${responseCode})` : '';
  if (known !== undefined) return `${where} ${known}${status}`;
  if (status !== '') return `${where} refused the message${status}`;
  const cause =
    typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown reason';
  return `${where} cannot be reached (${cause})`;
}
