import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ToastRegion } from '../parts/toast.tsx';
import { Navigation } from './navigation.tsx';
import type { SectionGroup } from './sections.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StaleNotice } from './stale-notice.tsx';
import './shell.css';

/** The frame of every page: bar, navigation, content and the dialogs that open everywhere. */
export function Shell(props: {
  environment: 'sandbox' | 'production';
  groups: readonly SectionGroup[];
  bar: ReactNode;
  /** Opens on ⌘K and Ctrl+K. */
  quickDialog: ReactNode;
  /** Describes the quick dialog, such as "Go to a section or tenant". */
  quickDialogWords: string;
}) {
  const main = useRef<HTMLElement>(null);
  useFocusOnNewSection(main);
  return (
    <div className="shell" data-environment={props.environment}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      {props.bar}
      <Navigation groups={props.groups} />
      <main className="shell__main" ref={main} tabIndex={-1}>
        <StaleNotice />
        <Outlet />
      </main>
      {props.quickDialog}
      <ShortcutsDialog
        sections={props.groups.flatMap(({ sections }) => sections)}
        quickDialog={props.quickDialogWords}
      />
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
