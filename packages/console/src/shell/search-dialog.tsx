// Finds requests by id, or by the person they are about. A person is looked up by a keyed digest and never by an
// address that could be logged; the lookup is recorded in the audit log.
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { apiAct, apiGet } from '../api/http.ts';
import { isBeginningOfId, type Page, type RequestLine } from '../api/request-types.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Empty, FailureLine } from '../components/failure.tsx';
import { RequestStatusMark } from '../components/status.tsx';
import { Time } from '../components/time.tsx';
import { t } from '../words/t.ts';

interface Asked {
  readonly text: string;
  readonly by: 'id' | 'email' | 'customer';
}

/** The kind follows from the text, except for a customer's number. */
function kindOf(text: string): Asked['by'] {
  if (isBeginningOfId(text)) return 'id';
  return text.includes('@') ? 'email' : 'customer';
}

async function find({ text, by }: Asked): Promise<readonly RequestLine[]> {
  if (by === 'id') return (await apiGet<Page<RequestLine>>('/requests', { id: text })).items;
  const identity = {
    identity_type: by === 'email' ? 'email' : 'controller_customer_id',
    identity_value: text,
    identity_format: 'raw',
  };
  const body = { identities: [identity] };
  return (await apiAct<{ items: readonly RequestLine[] }>('/search', { body })).items;
}

export function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={t('search.title')} wide>
      {open ? <Search onClose={onClose} /> : null}
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const maySearch = useMay('operator');
  const navigate = useNavigate();
  const search = useMutation({ mutationFn: find, gcTime: 0 });
  const asked = text.trim();
  const by = kindOf(asked);
  const mayAsk = asked !== '' && (by === 'id' || maySearch);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (mayAsk) search.mutate({ text: asked, by });
  }
  function openRequest(line: RequestLine) {
    onClose();
    void navigate({
      to: '/requests/$controllerId/$requestId',
      params: { controllerId: line.controller_id, requestId: line.subject_request_id },
    });
  }
  return (
    <>
      <form onSubmit={submit} className="mt-2 flex gap-2">
        <input
          className="input"
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
          autoFocus
          autoComplete="off"
          spellCheck={false}
          aria-label={t('search.field')}
          placeholder={t('search.field')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" look="primary" busy={search.isPending} disabled={!mayAsk}>
          {t('search.button')}
        </Button>
      </form>
      <p className="mt-2 text-xs text-ink-3">{hint(asked, by, maySearch)}</p>
      <FailureLine error={search.error} />
      {search.data === undefined ? null : (
        <ul className="mt-3 divide-y border-t">
          {search.data.map((line) => (
            <li key={`${line.controller_id} ${line.subject_request_id}`}>
              <button
                type="button"
                onClick={() => openRequest(line)}
                className="flex w-full flex-wrap items-center gap-x-4 px-2 py-2 text-left hover:bg-hover"
              >
                <span className="w-28">
                  <RequestStatusMark status={line.request_status} />
                </span>
                <span className="mono min-w-0 flex-1 truncate">{line.subject_request_id}</span>
                <span className="text-ink-2">{line.controller_id}</span>
                <Time iso={line.received_time} className="text-ink-3" />
              </button>
            </li>
          ))}
          {search.data.length === 0 ? (
            <li>
              <Empty title={t('search.none')} />
            </li>
          ) : null}
        </ul>
      )}
      {search.data !== undefined && search.variables?.by !== 'id' ? (
        <NotStarted onClose={onClose} />
      ) : null}
    </>
  );
}

/** Shown with every answer about a person: "nothing found" must not be read as "no request was made". */
function NotStarted({ onClose }: { onClose: () => void }) {
  return (
    <p className="mt-3 rounded-[7px] bg-sunken px-3 py-2 text-sm text-ink-2">
      {t('search.pending')}{' '}
      <Link to="/requests" search={{ status: 'pending' }} className="link" onClick={onClose}>
        {t('search.pending.open')}
      </Link>
    </p>
  );
}

function hint(asked: string, by: Asked['by'], maySearch: boolean): string {
  if (asked === '' || by === 'id') return t('search.hint');
  if (!maySearch) return t('search.viewer');
  return by === 'email' ? t('search.email') : t('search.customer');
}
