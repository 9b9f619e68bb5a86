import type { SvcEvent } from '@svc/contract/frame';
import { showSettingsProblem } from '../diagnostics/show-settings-problem.ts';
import { goBack, openExperience } from '../experience/experience.ts';
import { endTokenRequest } from '../experience/token-request.ts';
import type { Instance } from '../instance.ts';
import type { SvcEventArguments, SvcSettings } from '../settings.ts';
import { createInstance, updateSettings } from '../svc.ts';
import { createWidget } from '../widget/widget.ts';
import { applyToSession, updateSessionAfter } from '../widget/widget-session.ts';
import type { CallbackName, CallbackResult, FromPage, PassedSettings, ToPage } from './messages.ts';

declare global {
  interface Window {
    /** Added by the app's WebView. */
    ReactNativeWebView?: { postMessage(text: string): void };
    /** Called by the app. */
    svcReceive?: (message: ToPage) => void;
  }
}

type Start = Extract<ToPage, { type: 'start' }>;

/** One widget or one experience, from the app's first message to the end of the page. */
interface View {
  instance: Instance | undefined;
  /** The settings, with functions that call the app. */
  settings: SvcSettings;
  /** The last message about wrong settings, so that each is reported once. */
  reported: string;
  removeNote(): void;
}

let start: Start | undefined;
let view: View | undefined;
let callCount = 0;
const pendingCalls = new Map<number, (result: CallbackResult) => void>();

window.svcReceive = (message) => {
  if (message.type === 'start') begin(message);
  else if (start && view) receive(start, view, message);
};
post({ type: 'hello' });

function post(message: FromPage | { type: 'hello' }): void {
  const text = JSON.stringify({ svc: 1, secret: start?.secret, ...message });
  window.ReactNativeWebView?.postMessage(text);
}

function begin(message: Start): void {
  // The app answers each hello, and a page has one view.
  if (start) return;
  start = message;
  const { settings, shows, token } = message;
  if (settings.environment === 'sandbox') forwardConsole();
  view = { instance: undefined, settings: withCallbacks(settings), reported: '', removeNote() {} };
  const instance = applySettings(view, view.settings, shows);
  if (shows === 'widget') return;
  if (instance) void open(instance, token);
  else post({ type: 'closed', result: { reason: 'error', last_step: null } });
}

function receive({ shows }: Start, view: View, message: ToPage): void {
  const { instance } = view;
  if (message.type === 'settings') applySettings(view, withCallbacks(message.settings), shows);
  else if (message.type === 'result') pendingCalls.get(message.call)?.(message.result);
  else if (!instance) return;
  else if (message.type === 'opened') endTokenRequest(instance);
  else if (message.type === 'seen') applyToSession(instance, message.event);
  else if (message.type === 'closed') updateSessionAfter(instance, message.last_step);
  else if (message.type === 'token') void openExperience(instance, message.token);
  else if (message.type === 'back' && instance.experience) goBack(instance, instance.experience);
}

async function open(instance: Instance, token: string | null): Promise<void> {
  post({ type: 'closed', result: await openExperience(instance, token) });
}

/** Creates or updates the view. Wrong settings are an ERROR event, as on the web, and correct ones may follow. */
function applySettings(
  view: View,
  settings: SvcSettings,
  shows: Start['shows'],
): Instance | undefined {
  // A setting that is no longer passed is reset.
  for (const name in view.settings) settings[name as 'token'] ??= undefined;
  view.settings = settings;
  const box = document.getElementById('svc');
  try {
    if (view.instance) updateSettings(view.instance, settings);
    else view.instance = createView(settings, shows, box);
    view.reported = '';
    view.removeNote();
  } catch (error) {
    const { message: msg } = error as Error;
    if (view.reported === msg) return view.instance;
    view.reported = msg;
    view.removeNote();
    // A widget that is shown already stays as it is.
    view.removeNote = showSettingsProblem(view.instance ? null : box, settings, error as Error);
    const error_code = 'invalid_settings';
    postEvent('ERROR', { code: 1000, error_code, msg, retryable: false });
  }
  return view.instance;
}

function createView(
  settings: SvcSettings,
  shows: Start['shows'],
  box: HTMLElement | null,
): Instance {
  const instance = createInstance(settings);
  if (shows === 'experience') return instance;
  instance.openInApp = (token) => post({ type: 'open', token });
  instance.widget = createWidget(instance);
  box?.append(instance.widget.element);
  return instance;
}

function withCallbacks({ fetchToken, ...settings }: PassedSettings): SvcSettings {
  return {
    ...settings,
    onEvent: postEvent as (...event: SvcEventArguments) => void,
    onWidgetClickCallback: () => callApp('onWidgetClickCallback'),
    fetchToken: fetchToken ? () => callApp('fetchToken') as Promise<string> : undefined,
  };
}

function postEvent(...[type, data]: SvcEventArguments): void {
  post({ type: 'event', event: { type, data } as SvcEvent });
}

/** Calls the app's function and repeats its outcome, by which the SDK recognizes the app's mistakes. */
async function callApp(name: CallbackName): Promise<unknown> {
  const call = ++callCount;
  const result = await new Promise<CallbackResult>((resolve) => {
    pendingCalls.set(call, resolve);
    post({ type: 'call', call, name });
  });
  pendingCalls.delete(call);
  switch (result.outcome) {
    case 'token':
      return result.token;
    case 'null':
      return null;
    case 'object':
      return { token: '' };
    case 'threw':
      throw new Error(`${name} threw an error, which the app’s console shows.`);
    case 'nothing':
      return undefined;
  }
}

/** The console of a WebView is hidden, so the app writes the SDK's lines to its own. */
function forwardConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    const write = console[level];
    console[level] = (...data) => {
      write(...data);
      const [line] = data;
      if (typeof line === 'string' && line.startsWith('Svc ')) post({ type: 'log', line });
    };
  }
}
