import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { KeyState, KeyUse } from '@svc/ui/console/parts/key-state.tsx';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, apiKeysQuery } from '../api/api-keys.ts';
import { AdminOnly } from '../session/admin-only.tsx';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import '../endpoints/secret.css';
import './api-keys.css';

/** Creates, rotates and revokes the partner's API keys. */
export function ApiKeysPage() {
  return (
    <AdminOnly title="API keys">
      <ApiKeys />
    </AdminOnly>
  );
}

interface NewSecret {
  readonly name: string;
  readonly secret: string;
}

type Asking = { readonly what: 'rotate' | 'revoke'; readonly key: ApiKey } | { what: 'create' };

function ApiKeys() {
  const { read_only } = useSession();
  const queryClient = useQueryClient();
  const keys = useQuery({ ...apiKeysQuery, refetchInterval: pollIntervals.background });
  const [asking, setAsking] = useState<Asking | null>(null);
  const [created, setCreated] = useState<NewSecret | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const close = () => setAsking(null);
  const reload = () => void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
  const show = (secret: NewSecret) => {
    setCreated(secret);
    close();
    reload();
  };
  const all = keys.data ?? [];
  const revoked = all.filter(({ state }) => state === 'revoked').length;
  const shown = all.filter(({ state }) => showsRevoked || state !== 'revoked');
  return (
    <div className="page">
      <PageHeader
        title="API keys"
        actions={
          read_only ? null : (
            <button
              type="button"
              className="svc-button svc-button--small"
              onClick={() => setAsking({ what: 'create' })}
            >
              <Icon name="plus" /> Create key
            </button>
          )
        }
      >
        <p className="page-header__lead">
          A key calls the API and signs the widget. Keep it on your backend, and give each system
          only what it needs.
        </p>
      </PageHeader>
      {read_only ? <ReadOnlyNotice what="create, rotate or revoke keys" /> : null}
      {created ? <CreatedKey created={created} onDone={() => setCreated(null)} /> : null}
      <LoadState
        query={keys}
        loading="Loading the API keys"
        rows={3}
        failed="The API keys could not be loaded"
      />
      {shown.length > 0 ? (
        <ul className="keys">
          {shown.map((key) => (
            <Row key={key.id} apiKey={key} mayChange={!read_only} onAsk={setAsking} />
          ))}
        </ul>
      ) : null}
      {revoked > 0 ? (
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small keys__revoked"
          aria-expanded={showsRevoked}
          onClick={() => setShowsRevoked(!showsRevoked)}
        >
          {showsRevoked ? 'Hide revoked keys' : `Show ${revoked} revoked`}
        </button>
      ) : null}
      <CreateKeyDialog open={asking?.what === 'create'} onClose={close} onCreated={show} />
      <RotateKeyDialog
        apiKey={asking?.what === 'rotate' ? asking.key : null}
        onClose={close}
        onRotated={show}
      />
      <RevokeKeyDialog
        apiKey={asking?.what === 'revoke' ? asking.key : null}
        onClose={close}
        onRevoked={() => {
          close();
          reload();
        }}
      />
    </div>
  );
}

/** Shows a new key's secret. It is only in the page's memory, until "Done" is clicked or the page is left. */
function CreatedKey({ created, onDone }: { created: NewSecret; onDone: () => void }) {
  return (
    <section className="svc-card side-card" aria-label="New API key">
      <h2 className="section-title">Store the key {visibleText(created.name)} now</h2>
      <p className="side-card__quiet">
        It is shown only here and only once. Put it into your backend’s secret store.
      </p>
      <div className="secret">
        <code className="secret__value">{created.secret}</code>
        <CopyButton label="Copy the key" text={created.secret} />
      </div>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small side-card__action"
        onClick={onDone}
      >
        Done, it is stored
      </button>
    </section>
  );
}

function Row(props: { apiKey: ApiKey; mayChange: boolean; onAsk: (asking: Asking) => void }) {
  const { apiKey: key, mayChange, onAsk } = props;
  const name = visibleText(key.name ?? 'Unnamed key');
  return (
    <li className="keys__row">
      <div className="keys__words">
        <span className="keys__name">
          {name}
          {key.is_current ? <span className="tag">This session</span> : null}
        </span>
        <code className="keys__hint">
          {key.prefix}…{key.ends_with ?? ''}
        </code>
        <span className="keys__scopes">May: {key.scopes.join(', ')}</span>
      </div>
      <KeyState of={key} />
      <div className="keys__when">
        <KeyUse of={key} />
      </div>
      {mayChange && key.state !== 'revoked' ? (
        <div className="keys__actions">
          {key.state === 'live' ? (
            <button
              type="button"
              className="svc-button svc-button--secondary svc-button--small"
              onClick={() => onAsk({ what: 'rotate', key })}
            >
              Rotate<span className="svc-visually-hidden"> {name}</span>
            </button>
          ) : null}
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={() => onAsk({ what: 'revoke', key })}
          >
            Revoke<span className="svc-visually-hidden"> {name}</span>
          </button>
        </div>
      ) : null}
    </li>
  );
}
