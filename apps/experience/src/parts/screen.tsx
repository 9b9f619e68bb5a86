import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useFlow } from '../flow/flow.ts';
import type { FieldErrors, Panel } from '../flow/store.ts';
import { useFirstWords } from '../words/use-words.ts';
import { Header } from './header.tsx';
import { NoticeBox } from './notice-box.tsx';

export interface ScreenProps {
  title: string;
  emblem?: ComponentChildren;
  lead?: ComponentChildren;
  /** True if the title and the lead say what the notice says. It is not shown, and the title receives the focus. */
  saysNotice?: boolean;
  /** Shows a back button. */
  onBack?: () => void;
  /** Makes the screen a form: the footer's submit button runs it. */
  onSubmit?: () => void;
  footer?: ComponentChildren;
  children?: ComponentChildren;
}

/**
 * The layout of a screen: bar, title, content, and a sticky footer. The title receives the focus on
 * each new screen.
 */
export function Screen(props: ScreenProps) {
  const { title, emblem, lead, saysNotice = false, onBack, onSubmit, footer, children } = props;
  const { store } = useFlow();
  const { words } = useFirstWords();
  useBackButton(onBack);
  const decided = store.state.value?.application?.state;
  const place = `${store.step.value} ${pageKeyOf(store.panel.value)} ${decided} ${saysNotice}`;
  const heading = useTitleFocus(store.view.value.kind === 'step' ? place : null);
  const form = useFirstInvalidFocus(store.fieldErrors.value);
  const content = (
    <>
      <div class="content">
        <div class="heading">
          {emblem}
          <h1 class="title" id="title" tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {!saysNotice && <NoticeBox />}
        {children}
        <Help />
      </div>
      {footer !== undefined && <footer class="footer">{footer}</footer>}
      <p class="svc-visually-hidden" role="status">
        {store.busy.value ? words.sending : ''}
      </p>
    </>
  );
  return (
    <main class="screen">
      <Header {...(onBack === undefined ? {} : { onBack })} />
      {onSubmit === undefined ? (
        <div class="screen__body">{content}</div>
      ) : (
        <form
          class="screen__body"
          noValidate
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {content}
        </form>
      )}
    </main>
  );
}

/** Makes the browser's and the phone's back button call the screen's own `onBack`. */
function useBackButton(onBack: (() => void) | undefined): void {
  const { store, send } = useFlow();
  const canGoBack = onBack !== undefined;
  useLayoutEffect(() => {
    store.back = onBack ?? null;
    return () => {
      store.back = null;
    };
  });
  useEffect(() => {
    if (!canGoBack) return;
    send({ svc: 1, type: 'can_go_back', value: true });
    return () => send({ svc: 1, type: 'can_go_back', value: false });
  }, [canGoBack, send]);
}

/** Returns a key of the plan's open page: each one counts as a new screen. */
function pageKeyOf(panel: Panel): string {
  return 'document' in panel ? `${panel.kind} ${panel.document?.kind}` : panel.kind;
}

/** The lender and its support address, shown on every screen. */
function Help() {
  const { words } = useFirstWords();
  const { state, page } = useFlow().store;
  const terms = state.value?.terms;
  const name = terms?.lender_name ?? page.lender?.name;
  const address = terms?.lender_address ?? page.lender?.address;
  const email = terms?.support_email ?? page.lender?.supportEmail;
  if (name === undefined) return null;
  return (
    <p class="help">
      {words.help(name)}{' '}
      <a class="svc-link" href={`mailto:${email}`}>
        {email}
      </a>
      <br />
      {address}
      {terms?.lender_license ? (
        <>
          <br />
          {terms.lender_license}
        </>
      ) : null}
    </p>
  );
}

/** The previous screen. On the first screen (`none`), the focus stays where the partner's page has put it. */
let shownBefore: string | null = 'none';

function useTitleFocus(place: string | null) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect runs before the paint. An effect after the paint took the focus from a field that was tapped
  // at once, and what was typed was lost: 12 ms after the screen appeared, and up to 480 ms on a processor 20
  // times slower.
  useLayoutEffect(() => {
    if (shownBefore !== 'none' && shownBefore !== place) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    shownBefore = place;
  }, [place]);
  return heading;
}

/** Selects invalid fields, and the options of groups without a selection. */
const invalidFields = '[aria-invalid="true"], fieldset:has(> .svc-field__error:not(:empty)) input';

function useFirstInvalidFocus(errors: FieldErrors) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (Object.keys(errors).length === 0) return;
    // The fields render after the screen, in the same task: before the tenant can move the focus.
    queueMicrotask(() => form.current?.querySelector<HTMLElement>(invalidFields)?.focus());
  }, [errors]);
  return form;
}
