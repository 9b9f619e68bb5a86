import { SessionGate } from '@svc/ui/console/session/session-gate.tsx';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import { OpenLink, SignIn, Unreachable } from './access-pages.tsx';

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
      {props.children}
    </SessionGate>
  );
}
