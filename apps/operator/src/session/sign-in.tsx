import { Field } from '@svc/ui/console/parts/field.tsx';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import {
  signInAtProvider,
  signInWaysQuery,
  signInWithPasskey,
  signInWithPassword,
  signInWithRecoveryCode,
} from '../api/sign-in.ts';
import { ProofFields } from './proof-fields.tsx';
import { useOpenSession } from './use-open-session.ts';
import './sign-in.css';

type Way = 'provider' | 'passkey' | 'password' | 'recovery';

/** The page for visitors without a session: the company's provider first, or else a passkey. */
export function SignIn({ ended }: { ended: boolean }) {
  const { data, isPending } = useQuery(signInWaysQuery);
  const [chosen, setChosen] = useState<Way | null>(null);
  if (isPending) return <p className="svc-visually-hidden">Opening the console</p>;
  // If this request fails, the console's own ways to sign in may still work.
  const provider = data?.provider ?? null;
  const first = provider === null ? 'passkey' : 'provider';
  const way = chosen ?? first;
  return (
    <AccessPage title={ended ? 'Your session has ended' : 'Sign in to the operator’s console'}>
      {ended && way === first ? (
        <p>
          You signed out, the console was not used for 15 minutes, the session reached its 12-hour
          limit, or an admin ended it. Nothing was lost.
        </p>
      ) : null}
      {way === 'provider' ? <Provider host={provider ?? ''} /> : null}
      {way === 'passkey' ? <Passkey /> : null}
      {way === 'password' ? <Password /> : null}
      {way === 'recovery' ? <Recovery /> : null}
      <p className="sign-in__others">
        {ways
          .filter((other) => other.way !== way && (other.way !== 'provider' || provider !== null))
          .map((other) => (
            <button
              key={other.way}
              type="button"
              className="svc-link sign-in__other"
              onClick={() => setChosen(other.way)}
            >
              {other.words}
            </button>
          ))}
      </p>
      <FirstTime hasProvider={provider !== null} />
    </AccessPage>
  );
}

const ways: readonly { way: Way; words: string }[] = [
  { way: 'provider', words: 'Use your company account' },
  { way: 'passkey', words: 'Use a passkey' },
  { way: 'password', words: 'Use a password and a code' },
  { way: 'recovery', words: 'Use a recovery code' },
];

function FirstTime({ hasProvider }: { hasProvider: boolean }) {
  const invite = <code>svc-admin operator invite</code>;
  return hasProvider ? (
    <p className="access__quiet">
      First time here? Ask an admin to run {invite} with the e-mail address of your company account.
    </p>
  ) : (
    <p className="access__quiet">
      First time here? Ask an admin to run {invite}, and open the printed link within 15 minutes. In
      the sandbox, <code>npm start</code> prints one.
    </p>
  );
}

function Provider({ host }: { host: string }) {
  const leaving = useMutation({ mutationFn: () => signInAtProvider() });
  return (
    <SignInForm act={`Sign in with ${host}`} isReady signingIn={leaving}>
      <p>You sign in with your company account, and come back here.</p>
    </SignInForm>
  );
}

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
