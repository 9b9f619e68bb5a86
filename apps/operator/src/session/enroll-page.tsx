import { sessionKey } from '@svc/ui/console/api/query-client.ts';
import { AccessPage } from '@svc/ui/console/session/access-page.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EnrollPasskey, EnrollPassword, RecoveryCodes } from './enroll.tsx';

/** Shown to people who were let in by a link or a recovery code, until they can sign in again without one. */
export function EnrollPage() {
  const client = useQueryClient();
  const [way, setWay] = useState<'passkey' | 'password'>('passkey');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const open = () => void client.invalidateQueries({ queryKey: sessionKey });
  const onDone = (made: readonly string[] | null) => (made === null ? open() : setCodes(made));
  if (codes !== null) {
    return (
      <AccessPage title="Save your recovery codes">
        <RecoveryCodes codes={codes} onDone={open} />
      </AccessPage>
    );
  }
  return (
    <AccessPage title="Choose how you sign in">
      {way === 'passkey' ? <EnrollPasskey onDone={onDone} /> : <EnrollPassword onDone={onDone} />}
      <p>
        <button
          type="button"
          className="svc-link sign-in__other"
          onClick={() => setWay(way === 'passkey' ? 'password' : 'passkey')}
        >
          {way === 'passkey' ? 'Use a password and an app instead' : 'Use a passkey instead'}
        </button>
      </p>
    </AccessPage>
  );
}
