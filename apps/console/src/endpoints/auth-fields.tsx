import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useId } from 'react';
import type { PartProps } from './endpoint-draft.ts';
import { type AuthDraft, noAuth } from './endpoint-draft.ts';

/** Authentication in addition to the signature. Stored credentials are never shown again. */
export function AuthFields({ draft, stored, error, onChange }: PartProps) {
  const id = useId();
  const { auth } = draft;
  if (auth === null && stored) {
    return (
      <div className="svc-field">
        <span className="svc-field__label">Authentication</span>
        <p className="endpoint-form__kept">
          <span>{describeAuth(stored.auth)}</span>
          <button
            type="button"
            className="svc-button svc-button--secondary svc-button--small"
            onClick={() => onChange({ auth: { ...noAuth, type: stored.auth.type } })}
          >
            Replace
          </button>
        </p>
      </div>
    );
  }
  const current = auth ?? noAuth;
  const change = (part: Partial<AuthDraft>) => onChange({ auth: { ...current, ...part } });
  return (
    <fieldset className="svc-field">
      <legend className="svc-field__label">Authentication</legend>
      <div className="choices choices--row">
        {authKinds.map(({ type, words }) => (
          <label key={type}>
            <input
              type="radio"
              name={`${id}-auth`}
              checked={current.type === type}
              onChange={() => change({ type })}
            />
            {words}
          </label>
        ))}
      </div>
      {current.type === 'none' ? (
        <span className="svc-field__hint">
          Every request is signed anyway. Verify the signature.
        </span>
      ) : null}
      <div className="pair">
        {inputs
          .filter(({ type }) => type === current.type)
          .map(({ name, label, secret }) => (
            <Field key={name} label={label} error={fieldError(error, `auth.${name}`)}>
              {(wiring) => (
                <input
                  {...wiring}
                  className="svc-field__input svc-field__input--code"
                  type={secret ? 'password' : 'text'}
                  autoComplete={secret ? 'new-password' : 'off'}
                  value={current[name]}
                  onChange={(event) => change({ [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
      </div>
      <span className="svc-field__error">{authError(error)}</span>
    </fieldset>
  );
}

/** Describes an endpoint's authentication: "Basic, as ada", "Header x-key", "None". */
export function describeAuth(auth: {
  type: string;
  username?: string | undefined;
  name?: string | undefined;
}): string {
  if (auth.type === 'basic') return `Basic, as ${visibleText(auth.username ?? '')}`;
  return auth.type === 'header' ? `Header ${visibleText(auth.name ?? '')}` : 'None';
}

const authKinds = [
  { type: 'none', words: 'None' },
  { type: 'basic', words: 'Basic' },
  { type: 'header', words: 'Header' },
] as const;

const inputs = [
  { type: 'basic', name: 'username', label: 'Username', secret: false },
  { type: 'basic', name: 'password', label: 'Password', secret: true },
  { type: 'header', name: 'name', label: 'Header name', secret: false },
  { type: 'header', name: 'value', label: 'Value', secret: true },
] as const;

/** The error for authentication as a whole, unless one of its inputs shows it. */
function authError(error: Error | null): string | null {
  return inputs.some(({ name }) => fieldError(error, `auth.${name}`))
    ? null
    : fieldError(error, 'auth');
}
