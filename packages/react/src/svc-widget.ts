'use client';
import { type ExperienceResult, Svc, type SvcEventArguments, type SvcSettings } from '@svc/core';
import {
  type CSSProperties,
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Mounted, mounted, openIn } from './mounted.ts';

/** The settings of `@svc/core`, named as props. All may change at any render, in place. */
export interface SvcWidgetProps extends Omit<SvcSettings, 'productVariant'> {
  /** `hoa` for homeowners' associations; `rent` when omitted. */
  product_variant?: SvcSettings['productVariant'];
  /** Of the box that is reserved for the widget, on the server too: 250 px high and as its container. */
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

export interface SvcWidgetHandle {
  /** Opens the experience in this widget. Resolves when it is closed, never rejects. */
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

const useCommit = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The widget. Wrong settings don't tear down the page: they are ERROR 1000 and a line in the
 * console, and the widget comes with the first render that has right ones.
 */
export const SvcWidget = /* @__PURE__ */ forwardRef<SvcWidgetHandle, SvcWidgetProps>(
  function SvcWidget(props, ref) {
    const box = useRef<HTMLDivElement>(null);
    const [held] = useState<Mounted>(() => ({ names: {}, ready: 0 }));
    useCommit(() => apply(held, props, box.current));
    useCommit(() => {
      mounted.add(held);
      return () => {
        mounted.delete(held);
        held.svc?.destroy();
        held.svc = undefined;
      };
    }, [held]);
    useImperativeHandle(
      ref,
      () => ({ openExperienceAndSetToken: (options) => openIn(held, options) }),
      [held],
    );
    // No JSX, whose runtime React 16 lacks. The ref is handed over, not read.
    // oxlint-disable-next-line react/refs
    return createElement('div', {
      ref: box,
      className: props.className,
      style: { minHeight: 250, height: '100%', ...props.style },
    });
  },
);

function apply(held: Mounted, props: SvcWidgetProps, box: HTMLDivElement | null): void {
  const { className: _, style: __, product_variant, ...others } = props;
  const onEvent = props.onEvent as (...event: SvcEventArguments) => void;
  // A prop that is gone takes its setting with it.
  for (const name in others) held.names[name] = undefined;
  const settings: SvcSettings = {
    ...held.names,
    ...others,
    productVariant: product_variant,
    onEvent:
      onEvent &&
      ((...event: SvcEventArguments) => {
        // StrictMode makes two widgets, of which one is ready for the page.
        if (event[0] !== 'WIDGET_READY' || !held.ready++) onEvent(...event);
      }),
  };
  try {
    if (!held.svc) {
      held.svc = Svc(settings);
      box?.append(held.svc.createWidget());
    }
    held.svc.update(settings);
    held.told = '';
  } catch (error) {
    const { message: msg } = error as Error;
    if (held.told === msg) return;
    held.told = msg;
    console.error(error);
    onEvent?.('ERROR', { code: 1000, error_code: 'invalid_settings', msg, retryable: false });
  }
}
