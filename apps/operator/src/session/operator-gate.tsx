import { SessionGate } from '@svc/ui/console/session/session-gate.tsx';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import { OpenLink, Unreachable } from './access-pages.tsx';
import { EnrollPage } from './enroll-page.tsx';
import { SignIn } from './sign-in.tsx';
import { useSession } from './use-session.ts';

/** Renders the console if there is a session. Otherwise lets the person sign in. */
export function OperatorGate(props: { linkSecret: string | null; children: ReactNode }) {
  return (
    <SessionGate
      query={sessionQuery}
      linkSecret={props.linkSecret}
      link={(secret, onOpen) => <OpenLink key={secret} secret={secret} onOpen={onOpen} />}
      closed={(ended) => <SignIn ended={ended} />}
      unreachable={(error, retry) => <Unreachable error={error} retry={retry} />}
    >
      <Enrolled>{props.children}</Enrolled>
    </SessionGate>
  );
}

/** A person who signed in with a link or a recovery code must first set up another way to sign in. */
function Enrolled({ children }: { children: ReactNode }) {
  return useSession().is_enrolling ? <EnrollPage /> : children;
}
