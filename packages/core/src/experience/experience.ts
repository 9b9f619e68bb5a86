import type { AppearanceMessage, CloseReason, FromFrame, InitMessage } from '@svc/contract/frame';
import { emit, fail } from '../emit.ts';
import { checkIdentity } from '../identity.ts';
import type { SvcLocale } from '../locales/locale.ts';
import { type ExperienceResult, failed, loading, type Running, shown } from '../running.ts';
import { tenantOf } from '../settings.ts';
import { applyAppearance } from '../widget/widget.ts';
import { openChannel } from './channel.ts';
import { lockScroll } from './scroll-lock.ts';
import { buildShell, type Shell } from './shell.ts';
import { anchorOf, themeOf } from './surroundings.ts';

/** A frame that has shown nothing after this time gets a message and a retry. */
const bootTimeout = 12_000;

/** After this time a callback that opened nothing is over (contract: ERROR 1400). */
const patience = 30_000;

/** The click: the frame warms while the page's callback gets the token, or opens with the preloaded one. */
export function click(at: Running): void {
  if (at.active) return;
  emit(at, 'WIDGET_CLICKED', {});
  if (at.destroyed) return;
  warm(at);
  const { token, onWidgetClickCallback } = at.settings;
  if (token) void openExperience(at, token);
  askPage(at, onWidgetClickCallback);
  // Preloaded: it is open already, and the callback need not bring anything.
  if (token) endRun(at);
}

/** Runs the page's callback: busy until something opens, the callback fails, or patience ends. */
function askPage(at: Running, callback: () => unknown): void {
  const mine = endRun(at);
  const giveUp = (error_code: string) => {
    if (mine === at.run) {
      endRun(at, true);
      if (at.result) showFailure(at);
    }
    fail(at, 1400, error_code);
  };
  const busy = (isBusy: boolean) => {
    at.active = isBusy;
    at.widget?.paint();
  };
  let returned: unknown;
  at.patience = setTimeout(() => giveUp('callback_opened_nothing'), patience);
  busy(true);
  (async () => {
    returned = callback();
    return returned;
  })().then(
    (token) => {
      if (mine !== at.run) return;
      if (typeof token === 'string') void openExperience(at, token);
      // Its promise is done: the tenant may click again, though the page still has its time.
      else if (returned !== token) busy(false);
    },
    (error) => {
      console.error(error);
      giveUp('callback_threw');
    },
  );
}

/** Something opened, or nothing will: what the run still brings is late. Returns the next run. */
export function endRun(at: Running, missed = false): number {
  clearTimeout(at.patience);
  at.active = false;
  at.missed = missed;
  at.widget?.paint();
  return ++at.run;
}

/** Shows the dialog at once. While open, a further call joins and gets the same result. */
export async function openExperience(at: Running, token: unknown): Promise<ExperienceResult> {
  const usable = typeof token === 'string' && token;
  endRun(at, !usable);
  if (!usable || at.destroyed) {
    fail(at, 1100, 'token_not_a_string');
    return { reason: at.destroyed ? 'destroyed' : 'error', last_step: null };
  }
  if (at.result && at.shell?.host.isConnected) {
    if (!at.held) deliver(at, token);
    return at.result;
  }
  const { dialog } = warm(at);
  const result = new Promise<ExperienceResult>((resolve) => {
    at.settle = resolve;
  });
  at.result = result;
  at.unlock = lockScroll();
  dialog.showModal();
  emit(at, 'EXPERIENCE_OPENED', {});
  at.renewing = false;
  if (at.result === result) deliver(at, token);
  return result;
}

/** Loads the frame hidden, without a token, so that it is there when the token comes. */
export function warm(at: Running) {
  const { shell } = at;
  if (shell?.host.isConnected) return shell;
  letGo(at, 'destroyed');
  const made = buildShell(
    at.settings,
    // The close event of a dialog that was let go comes late: it must not close the next one.
    () => at.shell === made && dismiss(at),
    () => retry(at),
  );
  at.shell = made;
  anchorOf(at).append(made.host);
  boot(at, made);
  return made;
}

/** Loads the frame from its first byte. The URL names the partner and nothing else. */
function boot(at: Running, shell: Shell): void {
  const { origin, pms } = at.settings;
  at.channel?.close();
  at.phase = loading;
  at.channel = openChannel(
    shell.renewFrame(`${origin}/experience/${pms}`),
    origin,
    () => connected(at),
    (message) => receive(at, message),
  );
}

/** The handshake's end; also when the frame has reloaded itself and lost its session. */
function connected(at: Running): InitMessage {
  const { held: token, settings } = at;
  at.phase = loading;
  if (at.result) wait(at);
  return { ...appearanceOf(at), type: 'init', token, ...tenantOf(settings) };
}

/** After changed settings: dialog and frame follow in place, and nothing typed is lost. */
export function dress(at: Running): void {
  if (at.shell) applyAppearance(at.shell.dialog, at.settings);
  at.channel?.send(appearanceOf(at));
}

function appearanceOf(at: Running): AppearanceMessage {
  const { locale = null } = at.settings;
  const language = (locale as SvcLocale)?.language ?? locale;
  return { svc: 1, type: 'appearance', theme: themeOf(at), locale: language };
}

/** The frame when it is ready, else the shape of what comes, or what went wrong with a retry. */
function show(at: Running): void {
  at.shell?.show(at.phase);
}

/** The same token shows the frame as it was left; another one replaces the session. */
function deliver(at: Running, token: string): void {
  if (token !== at.held) {
    at.held = token;
    if (at.phase === shown) at.phase = loading;
    at.channel?.send({ svc: 1, type: 'token', token });
  }
  if (at.phase === failed && at.shell) boot(at, at.shell);
  if (at.phase) show(at);
  else wait(at);
}

function wait(at: Running): void {
  at.phase = loading;
  show(at);
  clearTimeout(at.timer);
  at.timer = setTimeout(() => {
    showFailure(at);
    fail(at, 1300, 'frame_timeout', true, 'Check allowed_origins and frame-src.');
  }, bootTimeout);
}

function showFailure(at: Running): void {
  clearTimeout(at.timer);
  at.phase = failed;
  show(at);
}

function retry(at: Running): void {
  if (at.held) deliver(at, at.held);
  else renew(at);
}

/** Gets a fresh token: from `fetchToken` when the page gave one, else by the click callback. */
function renew(at: Running): void {
  at.renewing = true;
  wait(at);
  askPage(at, at.settings.fetchToken ?? at.settings.onWidgetClickCallback);
}

function receive(at: Running, message: FromFrame): void {
  switch (message.type) {
    case 'ready':
      if (!at.held) break;
      at.phase = shown;
      clearTimeout(at.timer);
      if (at.result) show(at);
      break;
    case 'step':
      at.place = message.step;
      at.renewing = false;
      break;
    case 'event':
      if (message.event) emit(at, message.event.type, message.event.data as never);
      break;
    case 'close':
      close(at, message.reason, message.last_step);
      break;
    case 'escape':
      dismiss(at);
      break;
    case 'token_needed':
      tokenNeeded(at);
  }
}

/** A session that ends behind a closed dialog asks for its token when it is opened again. */
function tokenNeeded(at: Running): void {
  at.held = null;
  at.phase = loading;
  if (!at.result) return;
  const renewable = !!at.settings.fetchToken;
  if (at.renewing) fail(at, 1100, 'token_refused');
  else emit(at, 'TOKEN_EXPIRED', { renewable });
  if (renewable && !at.renewing) renew(at);
  else showFailure(at);
}

function dismiss(at: Running): void {
  close(at, at.phase === failed ? 'error' : at.place === 'done' ? 'completed' : 'dismissed');
}

/** The one way out of an open dialog; every close passes here once. */
function close(at: Running, reason: CloseReason, last_step = at.place): void {
  if (!at.result) return;
  at.result = undefined;
  clearTimeout(at.timer);
  at.unlock?.();
  at.shell?.dialog.close();
  const result = { reason, last_step };
  emit(at, 'EXPERIENCE_CLOSED', result);
  at.settle?.(result);
  // There is a plan, perhaps a new one: what the widget says of it may be old.
  if (reason !== 'destroyed' && /done|manage/.test(last_step as string)) void checkIdentity(at);
}

/** Lets go of dialog, frame and session, at any moment. */
export function letGo(at: Running, reason: CloseReason): void {
  close(at, reason);
  at.channel?.close();
  at.shell?.host.remove();
  at.shell = at.channel = undefined;
  at.held = at.place = null;
  at.phase = loading;
}
