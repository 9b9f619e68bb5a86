'use client';
import {
  type StaffProblem,
  StaffView,
  type StaffViewInstance,
  type StaffViewSettings,
  showSettingsProblem,
} from '@svc/core/staff';
import {
  type CSSProperties,
  createElement,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';

export type {
  Appearance,
  AppearanceVariable,
  PortalView,
  SettingIssue,
  StaffProblem,
} from '@svc/core/staff';
export { Environment, SvcError } from '@svc/core/staff';

/** The settings of `StaffView(…)` as props. All may change at any render, in place. */
export interface SvcStaffProps extends Omit<StaffViewSettings, 'view' | 'externalId'> {
  /** The class of the element around the view, whose height follows the content. */
  className?: string | undefined;
  /** CSS of the box around the view. A server renders it as an inline style, which a CSP may block. */
  style?: CSSProperties | undefined;
}

export interface SvcTenantPlanProps extends SvcStaffProps {
  /** The tenant's id in your system. */
  externalId: string;
}

/** Shows the amounts that the service owes the portal for plans, and each settlement's state. */
export function SvcSettlements(props: SvcStaffProps): ReactElement {
  return useStaffView({ ...props, view: 'settlements' });
}

/** Shows one tenant: whether they can split, their plan and its payments. */
export function SvcTenantPlan(props: SvcTenantPlanProps): ReactElement {
  return useStaffView({ ...props, view: 'tenant_plan' });
}

/** Shows the portal's webhook endpoints, messages, deliveries and replays. */
export function SvcWebhookPortal(props: SvcStaffProps): ReactElement {
  return useStaffView({ ...props, view: 'webhooks' });
}

/** The state that a view keeps between renders. It is also the ref of its element. */
interface MountedView {
  current: HTMLDivElement | null;
  isMounted: boolean;
  /** Undefined while the settings are wrong. */
  instance: StaffViewInstance | undefined;
  /** The last message about wrong settings, so that each is reported once. */
  reported: string | undefined;
  /** Removes the note about wrong settings. */
  removeNote: (() => void) | undefined;
  settings: Partial<StaffViewSettings>;
}

const useCommit = typeof document === 'undefined' ? useEffect : useLayoutEffect;

function useStaffView({
  className,
  style,
  ...settings
}: StaffViewSettings & Pick<SvcStaffProps, 'className' | 'style'>): ReactElement {
  const [view] = useState<MountedView>(() => ({
    current: null,
    isMounted: false,
    instance: undefined,
    reported: undefined,
    removeNote: undefined,
    settings: {},
  }));
  useCommit(() => {
    view.isMounted = true;
    applySettings(view, settings);
    return () => {
      view.isMounted = false;
      // Not synchronously: after another render, or StrictMode's unmounting, the view stays.
      queueMicrotask(() => {
        if (view.isMounted) return;
        view.instance?.destroy();
        view.instance = undefined;
      });
    };
  });
  // This file has no JSX, because React 16 lacks the JSX runtime.
  return createElement('div', { ref: view, className, style });
}

function applySettings(view: MountedView, settings: StaffViewSettings): void {
  // A prop that is no longer passed resets its setting.
  const dropped = Object.keys(view.settings).map((name) => [name, undefined]);
  view.settings = settings;
  try {
    if (view.instance) view.instance.update({ ...Object.fromEntries(dropped), ...settings });
    else {
      view.instance = StaffView(settings);
      view.current?.append(view.instance.element);
    }
    view.reported = undefined;
    view.removeNote?.();
  } catch (error) {
    const { message: msg } = error as Error;
    if (view.reported === msg) return;
    view.reported = msg;
    view.removeNote?.();
    // A view that is shown already stays as it is.
    view.removeNote = showSettingsProblem(
      view.instance ? null : view.current,
      settings,
      error as Error,
    );
    const problem: StaffProblem = { error_code: 'invalid_settings', msg };
    if (typeof settings.onError === 'function') settings.onError(problem);
  }
}
