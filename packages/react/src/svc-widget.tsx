'use client';
import { type ExperienceResult, Svc, type SvcEventArguments, type SvcSettings } from '@svc/core';
import {
  type CSSProperties,
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
    const [held] = useState<Mounted>(() => ({}));
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
      () => ({ openExperienceAndSetToken: ({ token }) => openIn(held, token) }),
      [held],
    );
    return (
      <div
        ref={box}
        className={props.className}
        style={{ minHeight: 250, height: '100%', ...props.style }}
      />
    );
  },
);

function apply(held: Mounted, props: SvcWidgetProps, box: HTMLDivElement | null): void {
  const settings = settingsOf(held, props);
  try {
    if (held.svc) {
      held.svc.update(settings);
    } else {
      held.svc = Svc(settings);
      box?.append(held.svc.createWidget());
    }
    held.told = undefined;
  } catch (error) {
    const { message } = error as Error;
    if (held.told !== message) {
      console.error(error);
      const data = { code: 1000, error_code: 'invalid_settings', msg: message, retryable: false };
      props.onEvent?.('ERROR', data as SvcEventArguments[1] as never);
    }
    held.told = message;
  }
}

/** Every name is there, so that a prop which is gone takes its setting with it. */
function settingsOf(held: Mounted, props: SvcWidgetProps): SvcSettings {
  const { onEvent } = props;
  return {
    balance: props.balance,
    pms: props.pms,
    externalId: props.externalId,
    environment: props.environment,
    signature: props.signature,
    onWidgetClickCallback: props.onWidgetClickCallback,
    productVariant: props.product_variant,
    token: props.token,
    baseUrl: props.baseUrl,
    fetchToken: props.fetchToken,
    identityCheck: props.identityCheck,
    locale: props.locale,
    appearance: props.appearance,
    nonce: props.nonce,
    onEvent:
      onEvent &&
      ((...event) => {
        const [type, data] = event;
        if (type === 'WIDGET_CLICKED') held.pending = true;
        if (type === 'EXPERIENCE_OPENED' || (type === 'ERROR' && data.code === 1400)) {
          held.pending = false;
        }
        onEvent(...event);
      }),
  };
}
