import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ToastRegion } from '../components/toast.tsx';
import { useSession } from '../session/session-gate.tsx';
import { GoToDialog } from './go-to-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StaleNotice } from './stale-notice.tsx';
import { TopBar } from './top-bar.tsx';
import './shell.css';

export function Shell() {
  const { environment } = useSession();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewSection(main);
  return (
    <div className="shell" data-environment={environment}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <TopBar />
      <Navigation />
      <main className="shell__main" ref={main} tabIndex={-1}>
        <StaleNotice />
        <Outlet />
      </main>
      <GoToDialog />
      <ShortcutsDialog />
      <ToastRegion />
    </div>
  );
}

/** Moves focus to the content when the section changes, as a full page load would. */
function useFocusOnNewSection(main: { current: HTMLElement | null }): void {
  const section = useRouterState({ select: (state) => state.location.pathname.split('/')[1] });
  const before = useRef(section);
  useEffect(() => {
    if (before.current === section) return;
    before.current = section;
    main.current?.focus({ preventScroll: true });
  }, [section, main]);
}
