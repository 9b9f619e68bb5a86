import { Dialog } from '@base-ui/react/dialog';
import { ApiError } from '@svc/ui/console/api/client.ts';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import {
  factorsQuery,
  onProvenInTab,
  proveAtProvider,
  proveWithPasskey,
  proveWithPassword,
} from '../api/sign-in.ts';
import { ProofFields } from './proof-fields.tsx';
import './sign-in.css';

interface PendingProof {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Returns `prove`, which makes a call that the service may refuse without a fresh proof of identity. If it is
 * refused, `prove` asks for the proof and makes the call again. Render `dialog` inside of the dialog that makes
 * the call, if there is one.
 */
export function useFreshProof(): {
  prove: <T>(run: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [pendingProof, setPendingProof] = useState<PendingProof | null>(null);
  const prove = async <T,>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'fresh_proof_required') throw error;
      await new Promise<void>((resolve, reject) => setPendingProof({ resolve, reject }));
      return await run();
    }
  };
  const settle = (how: (pendingProof: PendingProof) => void) => {
    if (pendingProof === null) return;
    setPendingProof(null);
    how(pendingProof);
  };
  const dialog = (
    <ProofDialog
      open={pendingProof !== null}
      onProven={() => settle(({ resolve }) => resolve())}
      onClose={() => settle(({ reject }) => reject(new Error('Nothing was done.')))}
    />
  );
  return { prove, dialog };
}

function ProofDialog(props: { open: boolean; onProven: () => void; onClose: () => void }) {
  return (
    <Dialog.Root open={props.open} onOpenChange={(open) => open || props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog">
          <Dialog.Title className="svc-dialog__title">Confirm that it is you</Dialog.Title>
          <Dialog.Description className="proof__about">
            This needs a proof from the last 5 minutes.
          </Dialog.Description>
          <Proof onProven={props.onProven} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Proof({ onProven }: { onProven: () => void }) {
  const factors = useQuery(factorsQuery);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const withPasskey = useMutation({ mutationFn: proveWithPasskey, onSuccess: onProven });
  const withPassword = useMutation({
    mutationFn: () => proveWithPassword({ password, code }),
    onSuccess: onProven,
  });
  const { passkeys = [], has_password = false, provider = null } = factors.data ?? {};
  const error = withPasskey.error ?? withPassword.error;
  const isReady = password !== '' && code.length === 6;
  return (
    <div className="sign-in">
      <LoadState
        query={factors}
        loading="Loading your ways to sign in"
        rows={2}
        failed="Your ways to sign in could not be loaded"
      />
      {passkeys.length > 0 ? (
        <button
          type="button"
          className="svc-button svc-button--block"
          aria-busy={withPasskey.isPending}
          onClick={() => withPasskey.isPending || withPasskey.mutate()}
        >
          Use your passkey
        </button>
      ) : null}
      {provider === null ? null : (
        <ProviderProof host={provider} isFirst={passkeys.length === 0} onProven={onProven} />
      )}
      {has_password ? (
        <form
          className="sign-in"
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (isReady && !withPassword.isPending) withPassword.mutate();
          }}
        >
          <ProofFields password={password} code={code} onPassword={setPassword} onCode={setCode} />
          <button
            type="submit"
            className="svc-button svc-button--secondary svc-button--block"
            aria-busy={withPassword.isPending}
            disabled={!isReady}
          >
            Use your password
          </button>
        </form>
      ) : null}
      {factors.data && provider === null && passkeys.length === 0 && !has_password ? (
        <p>
          You have no passkey and no password yet. Ask an admin for another link, with{' '}
          <code>svc-admin operator link</code>. Sign in with it, and add a passkey under Your
          account within 5 minutes.
        </p>
      ) : null}
      <p className="svc-field__error" role="alert">
        {error ? error.message : null}
      </p>
      <div className="svc-dialog__actions">
        <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
          Cancel
        </Dialog.Close>
      </div>
    </div>
  );
}

/** Asks the provider for a proof in another tab. A passkey needs no other tab, so it is offered first. */
function ProviderProof(props: { host: string; isFirst: boolean; onProven: () => void }) {
  const { host, isFirst, onProven } = props;
  const leaving = useMutation({ mutationFn: proveAtProvider });
  const proceed = useEffectEvent(onProven);
  useEffect(() => onProvenInTab(() => proceed()), []);
  return (
    <>
      <button
        type="button"
        className={`svc-button svc-button--block ${isFirst ? '' : 'svc-button--secondary'}`}
        aria-busy={leaving.isPending}
        onClick={() => leaving.isPending || leaving.mutate()}
      >
        Sign in with {host}
      </button>
      <p className="proof__about" role="status">
        {leaving.isSuccess
          ? 'Sign in in the tab that has opened. This page then continues.'
          : 'It opens another tab. What you have entered here stays.'}
      </p>
      {leaving.error ? (
        <p className="svc-field__error" role="alert">
          {leaving.error.message}
        </p>
      ) : null}
    </>
  );
}
