import { Field } from '@svc/ui/console/parts/field.tsx';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { signInWithPasskey, signInWithPassword, signInWithRecoveryCode } from '../api/sign-in.ts';
import { ProofFields } from './proof-fields.tsx';
import { useOpenSession } from './use-open-session.ts';
import './sign-in.css';

type Way = 'passkey' | 'password' | 'recovery';

/** The page for visitors without a session: a passkey first, a password with a code second. */
export function SignIn({ ended }: { ended: boolean }) {
  const [way, setWay] = useState<Way>('passkey');
  return (
    <AccessPage title={ended ? 'Your session has ended' : 'Sign in to the operator’s console'}>
      {ended && way === 'passkey' ? (
        <p>
          You signed out, the console was not used for 15 minutes, the session reached its 12-hour
          limit, or an admin ended it. Nothing was lost.
        </p>
      ) : null}
      {way === 'passkey' ? <Passkey /> : null}
      {way === 'password' ? <Password /> : null}
      {way === 'recovery' ? <Recovery /> : null}
      <p className="sign-in__others">
        {ways
          .filter((other) => other.way !== way)
          .map((other) => (
            <button
              key={other.way}
              type="button"
              className="svc-link sign-in__other"
              onClick={() => setWay(other.way)}
            >
              {other.words}
            </button>
          ))}
      </p>
      <p className="access__quiet">
        First time here? Ask an admin to run <code>svc-admin operator invite</code>, and open the
        printed link within 15 minutes. In the sandbox, <code>npm start</code> prints one.
      </p>
    </AccessPage>
  );
}

const ways: readonly { way: Way; words: string }[] = [
  { way: 'passkey', words: 'Use a passkey' },
  { way: 'password', words: 'Use a password and a code' },
  { way: 'recovery', words: 'Use a recovery code' },
];

function Passkey() {
  const signingIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: useOpenSession() });
  return (
    <SignInForm act="Sign in with a passkey" isReady signingIn={signingIn}>
      <p>Your device asks for your fingerprint, your face or its PIN.</p>
    </SignInForm>
  );
}

function Password() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const signingIn = useMutation({
    mutationFn: () => signInWithPassword({ name: name.trim(), password, code }),
    onSuccess: useOpenSession(),
  });
  const isReady = name.trim() !== '' && password !== '' && code.length === 6;
  return (
    <SignInForm act="Sign in" isReady={isReady} signingIn={signingIn}>
      <NameField name={name} onName={setName} />
      <ProofFields password={password} code={code} onPassword={setPassword} onCode={setCode} />
    </SignInForm>
  );
}

function Recovery() {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const signingIn = useMutation({
    mutationFn: () => signInWithRecoveryCode({ name: name.trim(), code: code.trim() }),
    onSuccess: useOpenSession(),
  });
  return (
    <SignInForm
      act="Sign in"
      isReady={name.trim() !== '' && code.trim() !== ''}
      signingIn={signingIn}
    >
      <NameField name={name} onName={setName} />
      <Field label="Recovery code" hint="Each code works once. Next you enroll a new passkey.">
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input svc-field__input--code"
            autoComplete="off"
            spellCheck={false}
            maxLength={50}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
      </Field>
    </SignInForm>
  );
}

function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  return (
    <Field label="Name" hint="As in your invitation.">
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input"
          autoComplete="username"
          maxLength={100}
          value={name}
          onChange={({ target }) => onName(target.value)}
        />
      )}
    </Field>
  );
}

interface SigningIn {
  readonly isPending: boolean;
  readonly error: Error | null;
  mutate(): void;
}

function SignInForm(props: {
  act: string;
  isReady: boolean;
  signingIn: SigningIn;
  children: ReactNode;
}) {
  const { act, isReady, signingIn, children } = props;
  return (
    <form
      className="sign-in"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        if (isReady && !signingIn.isPending) signingIn.mutate();
      }}
    >
      {children}
      <button
        type="submit"
        className="svc-button svc-button--block"
        aria-busy={signingIn.isPending}
        disabled={!isReady}
      >
        {act}
      </button>
      <p className="svc-field__error" role="alert">
        {signingIn.error ? signingIn.error.message : null}
      </p>
    </form>
  );
}
