import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { saveFile } from '@svc/ui/frame/save-file.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import {
  authenticatorQuery,
  enrollPasskey,
  enrollPassword,
  getAuthenticator,
} from '../api/sign-in.ts';
import { CodeInput } from './proof-fields.tsx';
import './sign-in.css';

interface Enrolling {
  /** Called with the recovery codes to show, or null if the person has some already. */
  readonly onDone: (codes: readonly string[] | null) => void;
  /** Runs a call, and asks for a proof of identity if the service requires one. */
  readonly prove?: <T>(run: () => Promise<T>) => Promise<T>;
}

const withoutProof = <T,>(run: () => Promise<T>) => run();

export function EnrollPasskey({ onDone, prove = withoutProof }: Enrolling) {
  const enrolling = useMutation({ mutationFn: () => prove(enrollPasskey), onSuccess: onDone });
  return (
    <div className="sign-in">
      <p>
        A passkey stays on your device and works with your fingerprint, your face or its PIN. It
        cannot be phished, guessed or copied from here.
      </p>
      <button
        type="button"
        className="svc-button svc-button--block"
        aria-busy={enrolling.isPending}
        onClick={() => enrolling.isPending || enrolling.mutate()}
      >
        Create a passkey
      </button>
      <p className="svc-field__error" role="alert">
        {enrolling.error ? enrolling.error.message : null}
      </p>
    </div>
  );
}

export function EnrollPassword({ onDone, prove = withoutProof }: Enrolling) {
  const authenticator = useQuery({
    ...authenticatorQuery,
    queryFn: () => prove(getAuthenticator),
  });
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const secret = authenticator.data?.secret ?? '';
  const enrolling = useMutation({
    mutationFn: () => prove(() => enrollPassword({ password, secret, code })),
    onSuccess: onDone,
  });
  const isReady = password.length >= 12 && code.length === 6 && secret !== '';
  return (
    <form
      className="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !enrolling.isPending) enrolling.mutate();
      }}
    >
      <LoadState
        query={authenticator}
        loading="Loading the code"
        rows={4}
        failed="The code could not be loaded"
      />
      {authenticator.data ? (
        <div className="enroll__qr">
          <img
            alt="QR code for an authenticator app"
            src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(authenticator.data.uri))}`}
          />
          <span className="enroll__secret">
            Scan it with an authenticator app, or type <code>{secret}</code>{' '}
            <CopyButton text={secret} label="Copy the secret" />
          </span>
        </div>
      ) : null}
      <CodeInput code={code} onCode={setCode} />
      <Field
        label="Password"
        hint="At least 12 characters. A sentence is easier to remember than a word."
        error={fieldError(enrolling.error, 'password')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            type="password"
            autoComplete="new-password"
            maxLength={200}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <button
        type="submit"
        className="svc-button svc-button--block"
        aria-busy={enrolling.isPending}
        disabled={!isReady}
      >
        Save the password
      </button>
      <p className="svc-field__error" role="alert">
        {enrolling.error && fieldError(enrolling.error, 'password') === null
          ? enrolling.error.message
          : null}
      </p>
    </form>
  );
}

/** The recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [saved, setSaved] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="sign-in">
      <p>
        If you lose your device, one of these codes lets you in once. They are shown only now: save
        them where you keep your passwords.
      </p>
      <ul className="recovery" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="recovery__actions">
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small"
          onClick={() =>
            saveFile('svc-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))
          }
        >
          Save as a file
        </button>
        <CopyButton text={text} label="Copy the codes" />
      </div>
      <label className="recovery__saved">
        <input
          type="checkbox"
          checked={saved}
          onChange={({ target }) => setSaved(target.checked)}
        />
        I have saved these codes
      </label>
      <button
        type="button"
        className="svc-button svc-button--block"
        disabled={!saved}
        onClick={onDone}
      >
        Continue
      </button>
    </div>
  );
}
