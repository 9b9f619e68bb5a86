import { type KeyScope, keyScopes, keyScopeWords } from '@svc/contract/key-scopes';
import { ConfirmDialog } from '@svc/ui/console/parts/dialog.tsx';
import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { type ApiKey, createApiKey, revokeApiKey, rotateApiKey } from '../api/api-keys.ts';

interface Created {
  readonly name: string;
  readonly secret: string;
}

export function CreateKeyDialog(props: {
  open: boolean;
  onClose: () => void;
  onCreated: (created: Created) => void;
}) {
  const form = useId();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['everything']);
  const creating = useMutation({
    mutationFn: () => createApiKey({ name: name.trim(), scopes: [...scopes] }),
    onSuccess: ({ secret }) => {
      props.onCreated({ name: name.trim(), secret });
      setName('');
      setScopes(['everything']);
    },
  });
  const isComplete = name.trim() !== '' && scopes.length > 0;
  const close = () => {
    creating.reset();
    props.onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!creating.isPending && isComplete) creating.mutate();
  };
  const problem = fieldError(creating.error, 'name');
  return (
    <ConfirmDialog
      open={props.open}
      onClose={close}
      title="Create an API key"
      error={generalError(creating.error, ['name']) === null ? null : creating.error}
      act="Create key"
      pending={creating.isPending}
      disabled={!isComplete}
      onAct={form}
    >
      <form id={form} onSubmit={submit}>
        <Field label="Name" hint="Where you use it, such as Billing backend." error={problem}>
          {(wiring) => (
            <input
              {...wiring}
              className="svc-field__input"
              autoComplete="off"
              maxLength={60}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <ScopeChoice scopes={scopes} onChange={setScopes} />
      </form>
    </ConfirmDialog>
  );
}

const narrowScopes = keyScopes.filter((scope) => scope !== 'everything');

function ScopeChoice(props: {
  scopes: readonly KeyScope[];
  onChange: (scopes: readonly KeyScope[]) => void;
}) {
  const { scopes, onChange } = props;
  const mayEverything = scopes.includes('everything');
  return (
    <fieldset className="svc-field key-scopes">
      <legend className="svc-field__label">What it may do</legend>
      <div className="choices">
        <label>
          <input
            type="radio"
            name="scopes"
            checked={mayEverything}
            onChange={() => onChange(['everything'])}
          />
          Everything
        </label>
        <label>
          <input
            type="radio"
            name="scopes"
            checked={!mayEverything}
            onChange={() => onChange(['widget', 'tokens'])}
          />
          Only this
        </label>
      </div>
      {mayEverything ? null : (
        <div className="choices key-scopes__list">
          {narrowScopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  onChange(
                    target.checked ? [...scopes, scope] : scopes.filter((it) => it !== scope),
                  )
                }
              />
              <span>
                <code>{scope}</code> {keyScopeWords[scope]}
              </span>
            </label>
          ))}
          <p className="side-card__quiet">
            The backend of a page with the widget needs widget and tokens. Scopes cannot be changed
            later.
          </p>
        </div>
      )}
    </fieldset>
  );
}

const overlaps = [
  { hours: 1, words: '1 hour' },
  { hours: 24, words: '24 hours' },
  { hours: 168, words: '7 days' },
  { hours: 0, words: 'Not at all. It leaked; revoke it now.' },
];

export function RotateKeyDialog(props: {
  /** Null while the dialog is closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
  onRotated: (created: Created) => void;
}) {
  const { apiKey } = props;
  const [hours, setHours] = useState(24);
  const rotating = useMutation({
    mutationFn: (key: ApiKey) => rotateApiKey(key.id, hours),
    onSuccess: ({ name, secret }) => {
      props.onRotated({ name: name ?? 'without a name', secret });
      showToast('The key was rotated. Put the new one into your backend.');
    },
  });
  const close = () => {
    rotating.reset();
    props.onClose();
  };
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onClose={close}
      title={`Rotate ${nameOf(apiKey)}`}
      error={rotating.error}
      act="Create new key"
      pending={rotating.isPending}
      onAct={() => apiKey && rotating.mutate(apiKey)}
    >
      <p>
        You get a new key. During the overlap both work, for the API and for widget signatures, so
        that you can switch without downtime.
      </p>
      <fieldset className="svc-field">
        <legend className="svc-field__label">How long the current key keeps working</legend>
        <div className="choices">
          {overlaps.map((overlap) => (
            <label key={overlap.hours}>
              <input
                type="radio"
                name="overlap"
                checked={hours === overlap.hours}
                onChange={() => setHours(overlap.hours)}
              />
              {overlap.words}
            </label>
          ))}
        </div>
      </fieldset>
    </ConfirmDialog>
  );
}

export function RevokeKeyDialog(props: {
  apiKey: ApiKey | null;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const { apiKey } = props;
  const revoking = useMutation({
    mutationFn: (key: ApiKey) => revokeApiKey(key.id),
    onSuccess: () => {
      props.onRevoked();
      showToast('The key was revoked.');
    },
  });
  const close = () => {
    revoking.reset();
    props.onClose();
  };
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onClose={close}
      title={`Revoke ${nameOf(apiKey)}?`}
      error={revoking.error}
      act="Revoke key"
      danger
      pending={revoking.isPending}
      onAct={() => apiKey && revoking.mutate(apiKey)}
    >
      <p>
        Calls and widget signatures with this key fail at once, and console sessions that its links
        opened end.
        {apiKey?.is_current ? ' This session is one of them: you will be signed out.' : null}
      </p>
    </ConfirmDialog>
  );
}

function nameOf(apiKey: ApiKey | null): string {
  return apiKey?.name ? visibleText(apiKey.name) : 'this key';
}
