// A sample request as the organisation's own systems will send it, with a token. Only this dialog has the token.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { systemQuery } from '../../api/queries.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useAction } from '../../api/use-action.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureLine, Loading } from '../../components/failure.tsx';
import { TextField } from '../../components/field.tsx';
import { t, tn } from '../../words/t.ts';

interface Token {
  readonly access_token: string;
  readonly expires_in: number;
}

export function TryRequest({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const [email, setEmail] = useState('jane@example.com');
  const { data: system } = useQuery(systemQuery);
  const { mutate, data: token, error } = useAction<Token>({ showsFailure: true });
  const path = `/clients/${encodeURIComponent(clientId)}/token`;
  useEffect(() => mutate({ path, done: '' }), [mutate, path]);
  const request = useMemo(
    () => ({ id: crypto.randomUUID(), time: new Date(serverNow()).toISOString() }),
    [],
  );
  const isReady = token !== undefined && system !== undefined;
  return (
    <Dialog open onClose={onClose} title={t('try.title')} description={t('try.meaning')} wide>
      <FailureLine error={error} />
      {!isReady && error === null ? <Loading rows={4} /> : null}
      {isReady ? (
        <>
          <TextField
            label={t('try.email')}
            hint={t('try.email.hint')}
            spellCheck={false}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <div className="mt-4">
            <CodeBlock
              label={t('try.command')}
              code={commandOf(system.public_url, token.access_token, { ...request, email })}
            />
          </div>
          <p className="mt-2 text-xs text-ink-3">
            {t('try.expires', { span: tn('time.minutes', Math.floor(token.expires_in / 60)) })}
          </p>
        </>
      ) : null}
    </Dialog>
  );
}

interface Tried {
  readonly id: string;
  readonly time: string;
  readonly email: string;
}

function commandOf(url: string, token: string, { id, time, email }: Tried): string {
  const identity = { identity_type: 'email', identity_value: email.trim(), identity_format: 'raw' };
  const body = `{
  "regulation": "gdpr",
  "subject_request_id": "${id}",
  "subject_request_type": "erasure",
  "submitted_time": "${time}",
  "subject_identities": [
    ${JSON.stringify(identity)}
  ]
}`;
  // Within single quotes, a shell changes nothing; only the quote itself must be escaped.
  return `curl -s ${url}/requests \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", "'\\''")}'`;
}
