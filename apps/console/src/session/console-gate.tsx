import { SessionGate } from '@svc/ui/console/session/session-gate.tsx';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import { ClosedConsole, OpenConsole, Unreachable } from './access-pages.tsx';
import { isKeyLink, KeyPage } from './key-page.tsx';

/** Renders the console if there is a session. Otherwise explains how to get one. */
export function ConsoleGate(props: { linkSecret: string | null; children: ReactNode }) {
  return (
    <SessionGate
      query={sessionQuery}
      linkSecret={props.linkSecret}
      link={(secret, onOpen) =>
        isKeyLink(secret) ? (
          <KeyPage key={secret} secret={secret} />
        ) : (
          <OpenConsole key={secret} secret={secret} onOpen={onOpen} />
        )
      }
      closed={(ended) => <ClosedConsole ended={ended} />}
      unreachable={(error, retry) => <Unreachable error={error} retry={retry} />}
    >
      {props.children}
    </SessionGate>
  );
}
