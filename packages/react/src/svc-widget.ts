'use client';
import {
  type ExperienceResult,
  Svc,
  type SvcDiagnosis,
  type SvcEventArguments,
  type SvcSettings,
  showSettingsProblem,
} from '@svc/core';
import {
  type CSSProperties,
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from 'react';
import { type MountedWidget, mountedWidgets, openIn } from './mounted.ts';

/** The settings of `@svc/core`, named as props. All may change at any render, in place. */
export interface SvcWidgetProps extends Omit<SvcSettings, 'productVariant'> {
  /** `hoa` for homeowners' associations; `rent` when omitted. */
  product_variant?: SvcSettings['productVariant'];
  /** The class of the element around the widget, which is at least 250 px high, on the server too. */
  className?: string | undefined;
  /** CSS of the box around the widget. A server renders it as an inline style, which a CSP may block. */
  style?: CSSProperties | undefined;
}

export interface SvcWidgetHandle {
  /** Opens the experience in this widget. Resolves when it is closed, never rejects. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
  /** The widget's state for the doctor; undefined while there is no widget. */
  diagnose(): SvcDiagnosis | undefined;
}

/**
 * Reserves the widget's height in server-rendered HTML, so that nothing shifts when the widget appears.
 * Size and display are SVG attributes here: a Content Security Policy blocks inline styles.
 */
const reservedSpace = /* @__PURE__ */ createElement('svg', {
  width: 1,
  height: 250,
  viewBox: '0 0 1 250',
  display: 'block',
  'aria-hidden': true,
});

/** Gives the element its size in place of the reserved space. CSSOM is not an inline style: no policy blocks it. */
function styleElement(element: HTMLElement): void {
  element.style.minHeight ||= '250px';
  element.style.height ||= '100%';
  const [space] = element.getElementsByTagName('svg');
  if (space) space.style.display = 'none';
}

const useCommit = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The widget. Wrong settings don't tear down the page: they are ERROR 1000, in the sandbox also a note
 * in the box and a line in the console. The widget appears with the first render that has correct ones.
 */
export const SvcWidget = /* @__PURE__ */ forwardRef<SvcWidgetHandle, SvcWidgetProps>(
  function SvcWidget({ className, style, product_variant: productVariant, ...others }, ref) {
    const [widget] = useState<MountedWidget>(() => ({ current: null }));
    useCommit(() => {
      mountedWidgets.add(widget);
      if (widget.current) styleElement(widget.current);
      applySettings(widget, { ...others, productVariant });
      return () => {
        mountedWidgets.delete(widget);
        // Not synchronously: after another render, or StrictMode's unmounting, the widget stays.
        queueMicrotask(() => {
          if (mountedWidgets.has(widget)) return;
          widget.svc?.destroy();
          widget.svc = undefined;
        });
      };
    });
    useImperativeHandle(
      ref,
      () => ({
        openExperienceAndSetToken: (options) => openIn(widget, options),
        diagnose: () => widget.svc?.diagnose(),
      }),
      [widget],
    );
    // This file has no JSX, because React 16 lacks the JSX runtime.
    return createElement('div', { ref: widget, className, style }, reservedSpace);
  },
);

function applySettings(widget: MountedWidget, settings: SvcSettings): void {
  // A prop that is no longer passed resets its setting.
  for (const name in widget.settings) settings[name as 'token'] ??= undefined;
  widget.settings = settings;
  try {
    if (!widget.svc) {
      widget.svc = Svc(settings);
      widget.current?.append(widget.svc.createWidget());
    }
    widget.svc.update(settings);
    widget.reported = '';
    widget.removeNote?.();
  } catch (error) {
    const { message: msg } = error as Error;
    if (widget.reported === msg) return;
    widget.reported = msg;
    widget.removeNote?.();
    // A widget that is shown already stays as it is.
    const box = widget.svc ? null : widget.current;
    widget.removeNote = showSettingsProblem(box, settings, error as Error);
    const onEvent = settings.onEvent as (...event: SvcEventArguments) => void;
    onEvent?.('ERROR', { code: 1000, error_code: 'invalid_settings', msg, retryable: false });
  }
}
