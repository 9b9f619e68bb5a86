import type { FromConsoleFrame, ToConsoleFrame } from '@svc/contract/frame';
import { applyAppearance, inheritAppearance, resolveAppearance } from '../appearance.ts';
import { blockedMessage, watchPolicy } from '../diagnostics/watch-policy.ts';
import { createElement, createShadowHost } from '../dom.ts';
import { type FrameChannel, openChannel } from '../experience/frame-channel.ts';
import type { Timer } from '../instance.ts';
import sharedCss from '../shared.css?inline';
import { fetchToken, isProblem } from './fetch-token.ts';
import staffCss from './staff.css?inline';
import { checkStaffSettings, type StaffProblem, type StaffViewSettings } from './staff-settings.ts';

export { showSettingsProblem } from '../diagnostics/show-settings-problem.ts';
export { Environment } from '../environment.ts';
export type { Appearance, AppearanceVariable } from '../settings.ts';
export { type SettingIssue, SvcError } from '../svc-error.ts';
export type { PortalView, StaffProblem, StaffViewSettings } from './staff-settings.ts';

/** A frame that has shown nothing after this many milliseconds gets an error message and a retry. */
const loadTimeout = 12_000;

const titles = {
  settlements: 'Settlements',
  tenant_plan: 'Payment plan',
  webhooks: 'Webhooks',
} as const;

export interface StaffViewInstance {
  /** Append it to a container of at least 320 px. Its height follows the content. */
  readonly element: HTMLElement;
  /**
   * Changes any settings in place. Another view, tenant or portal loads the view again.
   * @throws SvcError `invalid_settings`, and then nothing has changed.
   */
  update(changes: Partial<StaffViewSettings>): void;
  /** Removes the element. Safe at any moment. */
  destroy(): void;
}

interface State {
  settings: StaffViewSettings;
  serviceOrigin: string;
  readonly root: HTMLElement;
  readonly failure: HTMLElement;
  readonly failureText: HTMLElement;
  iframe: HTMLIFrameElement;
  channel: FrameChannel<ToConsoleFrame> | undefined;
  /** The last token from the page. It lives here and in the frame's memory only. */
  token: string | null;
  /** True until the service has answered the last token. If the frame needs another before that, it was refused. */
  isUnanswered: boolean;
  /** Identifies the running call of `getToken`. Results of earlier ones are ignored. */
  request: object | undefined;
  /** Runs while the frame loads. */
  loadTimer: Timer | undefined;
  /** Directives of the page's policy that have blocked the frame, each with the text that the policy needs. */
  readonly blockedBy: Map<string, string>;
  /** Stops listening for violations of the page's policy, which may block the frame while it loads. */
  stopWatching(): void;
}

/**
 * Shows one view of the console to the partner's staff, in a frame that a token of the partner's backend
 * limits to this view. The page's script never sees what the frame shows.
 * @throws SvcError `invalid_settings`, whose `issues` name each wrong setting.
 */
export function StaffView(settings: StaffViewSettings): StaffViewInstance {
  const serviceOrigin = checkStaffSettings(settings);
  const failureText = createElement('p');
  const failure = createElement(
    'section',
    { className: 'svc-failure', role: 'alert' },
    createElement('h2', {}, 'This view could not be loaded'),
    failureText,
    createElement('button', { className: 'svc-button', onclick: () => start(state) }, 'Try again'),
  );
  const iframe = createElement('iframe');
  const skeleton = createElement('div', { className: 'svc-skeleton', ariaHidden: 'true' });
  const root = createElement('div', { className: 'svc-staff', lang: 'en' }, skeleton, iframe);
  const element = createShadowHost(root, sharedCss, staffCss);
  const state: State = {
    settings: { ...settings },
    serviceOrigin,
    root,
    failure,
    failureText,
    iframe,
    channel: undefined,
    token: null,
    isUnanswered: false,
    request: undefined,
    loadTimer: undefined,
    blockedBy: new Map(),
    stopWatching() {},
  };
  applyTheme(state);
  start(state);
  return {
    element,
    update(changes) {
      const next = { ...state.settings, ...changes };
      const nextOrigin = checkStaffSettings(next);
      const identity = identityKey(state);
      state.settings = next;
      state.serviceOrigin = nextOrigin;
      applyTheme(state);
      if (identityKey(state) !== identity) start(state);
      else state.channel?.send({ svc: 1, type: 'appearance', ...themeOf(state) });
    },
    destroy() {
      stop(state);
      element.remove();
    },
  };
}

/** Loads a new frame and gets a token at the same time. */
function start(state: State): void {
  stop(state);
  const { settings, serviceOrigin } = state;
  const { view, pms, externalId = null } = settings;
  // The address names the portal and nothing else. Tenant and token go over the port.
  const iframe = createElement('iframe', {
    title: titles[view],
    src: `${serviceOrigin}/portal/frame/${pms}`,
    allow: 'clipboard-write',
    referrerPolicy: 'no-referrer',
  });
  state.iframe.replaceWith(iframe);
  state.iframe = iframe;
  state.token = null;
  state.channel = openChannel<ToConsoleFrame, FromConsoleFrame>(iframe, serviceOrigin, {
    onConnect() {
      // Only now, because the element may not have been on the page before.
      inheritAppearance(state.root, (state.root.getRootNode() as ShadowRoot).host);
      const { token } = state;
      const init = { svc: 1, type: 'init', view, externalId, token, ...themeOf(state) } as const;
      state.channel?.send(init);
    },
    onMessage: (message) => handleMessage(state, message),
  });
  waitForFrame(state);
  void renewToken(state);
}

function stop(state: State): void {
  endWait(state);
  state.request = undefined;
  state.channel?.close();
  state.channel = undefined;
}

/** Handles a message of the frame. Message types that this version does not know are ignored. */
function handleMessage(state: State, message: FromConsoleFrame): void {
  switch (message.type) {
    case 'ready':
      state.isUnanswered = false;
      endWait(state);
      setPhase(state, 'shown');
      break;
    case 'token_needed':
      if (!state.isUnanswered) void renewToken(state);
      else {
        fail(state, {
          error_code: 'token_refused',
          msg: 'The service refused a token that getToken has just returned. Return a new token from POST /v1/portal_tokens each time.',
        });
      }
      break;
    case 'mismatch':
      fail(state, { error_code: 'token_mismatch', msg: String(message.msg) });
      break;
    case 'resize':
      if (Number.isFinite(message.height)) state.iframe.style.height = `${message.height}px`;
      break;
  }
}

async function renewToken(state: State): Promise<void> {
  if (state.request) return;
  const request = {};
  state.request = request;
  const token = await fetchToken(state.settings);
  if (state.request !== request) return;
  state.request = undefined;
  if (isProblem(token)) {
    fail(state, token);
    return;
  }
  state.token = token;
  state.isUnanswered = true;
  state.channel?.send({ svc: 1, type: 'token', token });
}

/** Shows the placeholder until the frame is ready, or an error message when it is not in time. */
function waitForFrame(state: State): void {
  setPhase(state, 'loading');
  state.stopWatching = watchPolicy(state, () => {
    const msg = blockedMessage(state, 'the frame of', 'frame-src');
    fail(state, { error_code: 'frame_blocked', msg });
  });
  const check = () => {
    // getToken has its own timeout, and a page may create the view before it shows it.
    if (state.request || !state.root.isConnected) {
      state.loadTimer = setTimeout(check, loadTimeout);
      return;
    }
    const msg = `The view did not load within 12 seconds. Check that allowed_origins contains ${location.origin}, that this page's frame-src allows ${state.serviceOrigin}, and that the service answers there.`;
    fail(state, { error_code: 'frame_timeout', msg });
  };
  state.loadTimer = setTimeout(check, loadTimeout);
}

function endWait(state: State): void {
  clearTimeout(state.loadTimer);
  state.stopWatching();
}

function fail(state: State, problem: StaffProblem): void {
  endWait(state);
  state.request = undefined;
  const { onError, environment } = state.settings;
  // Details are for the page's developer. The staff in production could do nothing with them.
  state.failureText.textContent =
    environment === 'sandbox'
      ? problem.msg
      : 'Check your connection and try again. If it keeps happening, tell the people who run this page.';
  setPhase(state, 'failed');
  if (onError) onError(problem);
  else console.error(`Svc: ${problem.msg}`);
}

function setPhase({ root, failure, iframe }: State, phase: 'loading' | 'shown' | 'failed'): void {
  root.dataset.phase = phase;
  root.ariaBusy = String(phase === 'loading');
  iframe.inert = phase !== 'shown';
  // Added only when it is needed: screen readers announce an alert that appears.
  if (phase === 'failed') iframe.after(failure);
  else failure.remove();
}

function applyTheme({ root, settings }: State): void {
  applyAppearance(root, settings.appearance);
  const { host } = root.getRootNode() as ShadowRoot;
  if (host.isConnected) inheritAppearance(root, host);
}

function themeOf({ root, settings }: State) {
  return {
    theme: root.style.colorScheme,
    appearance: { ...resolveAppearance(root), hasTheme: !!settings.appearance?.theme },
  };
}

/** Returns a key that changes with the service, the view, the portal or the tenant. */
function identityKey({ serviceOrigin, settings: { view, pms, externalId } }: State): string {
  return JSON.stringify([serviceOrigin, view, pms, externalId]);
}
