import type { AppearanceMessage, CloseReason } from '@svc/contract/frame';
import { applyAppearance } from '../appearance.ts';
import { emit, fail } from '../emit.ts';
import { checkIdentity } from '../identity.ts';
import type { SvcLocale } from '../locales/locale.ts';
import { type ExperienceResult, failed, loading, type Running, shown } from '../running.ts';
import { tenantOf } from '../settings.ts';
import { hangUp, listen, send } from './channel.ts';
import { buildDialog, renewFrame, show } from './dialog.ts';
import { lockScroll } from './scroll-lock.ts';

/** A frame that has shown nothing after this time gets a message and a retry. */
const bootTimeout = 12_000;

/** After this time a callback that opened nothing is over (contract: ERROR 1400). */
const patience = 30_000;

/** The click: the frame warms while the page's callback gets the token, or opens with the preloaded one. */
export function click(at: Running): void {
  if (at.busy) return;
  emit(at, 'WIDGET_CLICKED', {});
  if (at.destroyed) return;
  warm(at);
  const { token, onWidgetClickCallback } = at.settings;
  if (token) void openExperience(at, token);
  void askPage(at, onWidgetClickCallback);
  // Preloaded: it is open already, and the callback need not bring anything.
  if (token) endRun(at);
}

/** Runs the page's callback: busy until something opens, the callback fails, or patience ends. */
async function askPage(at: Running, callback: () => unknown): Promise<void> {
  endRun(at);
  const giveUp = (error_code: string) => {
    if (mine === at.patience) {
      endRun(at, true);
      if (at.result) show(at, failed);
    }
    fail(at, 1400, error_code);
  };
  const mine = setTimeout(() => giveUp('callback_opened_nothing'), patience);
  at.patience = mine;
  try {
    setBusy(at, true);
    const returned = callback();
    const token = await returned;
    if (mine !== at.patience) return;
    if (typeof token === 'string') void openExperience(at, token);
    // Its promise is done: the tenant may click again, though the page still has its time.
    else if (returned !== token) setBusy(at, false);
  } catch (error) {
    console.error(error);
    giveUp('callback_threw');
  }
}

/** Something opened, or nothing will: what the run still brings is late. */
export function endRun(at: Running, missed = false): void {
  clearTimeout(at.patience);
  at.patience = undefined;
  at.missed = missed;
  setBusy(at, false);
}

function setBusy(at: Running, busy: boolean): void {
  at.busy = busy;
  at.paint?.();
}

/** Shows the dialog at once. While open, a further call joins and gets the same result. */
export async function openExperience(at: Running, token: unknown): Promise<ExperienceResult> {
  const usable = typeof token === 'string' && token;
  endRun(at, !usable);
  if (!usable || at.destroyed) {
    fail(at, 1100, 'token_not_a_string');
    return { reason: at.destroyed ? 'destroyed' : 'error', last_step: null };
  }
  if (at.result && at.dialog?.isConnected) {
    if (!at.held) deliver(at, token);
    return at.result;
  }
  warm(at);
  const result = new Promise<ExperienceResult>((resolve) => {
    at.settle = resolve;
  });
  at.result = result;
  at.unlock = lockScroll();
  at.dialog?.showModal();
  emit(at, 'EXPERIENCE_OPENED', {});
  at.renewing = false;
  if (at.result === result) deliver(at, token);
  return result;
}

/** Loads the frame hidden, without a token, so that it is there when the token comes. */
export function warm(at: Running): void {
  if (at.dialog?.isConnected) return;
  letGo(at, 'destroyed');
  buildDialog(
    at,
    () => dismiss(at),
    () => {
      if (at.held) deliver(at, at.held);
      else renew(at);
    },
  );
  boot(at);
  dress(at);
}

/** Loads the frame from its first byte. The URL names the partner and nothing else. */
function boot(at: Running): void {
  hangUp(at);
  renewFrame(at);
  listen(
    at,
    () => {
      at.phase = loading;
      if (at.result) wait(at);
      send(at, { ...appearanceOf(at), type: 'init', token: at.held, ...tenantOf(at.settings) });
    },
    (message) => {
      if (message.type === 'ready' && at.held) show(at, shown);
      if (message.type === 'step') {
        at.place = message.step;
        at.renewing = false;
      }
      if (message.type === 'event' && message.event)
        emit(at, message.event.type, message.event.data as never);
      if (message.type === 'close') close(at, message.reason, message.last_step);
      if (message.type === 'escape') dismiss(at);
      if (message.type === 'token_needed') tokenNeeded(at);
    },
  );
}

/** After changed settings: dialog and frame follow in place, and nothing typed is lost. */
export function dress(at: Running): void {
  if (!at.dialog) return;
  applyAppearance(at, at.dialog);
  at.dialog.style.colorScheme ||= getComputedStyle(at.host ?? document.body).colorScheme;
  send(at, appearanceOf(at));
}

function appearanceOf(at: Running): AppearanceMessage {
  const { locale = null } = at.settings;
  const language = (locale as SvcLocale)?.language ?? locale;
  return {
    svc: 1,
    type: 'appearance',
    theme: (at.dialog as HTMLDialogElement).style.colorScheme,
    locale: language,
  };
}

/** The same token shows the frame as it was left; another one replaces the session. */
function deliver(at: Running, token: string): void {
  const kept = token === at.held;
  at.held = token;
  if (at.phase === failed) boot(at);
  else if (!kept) send(at, { svc: 1, type: 'token', token });
  if (kept && at.phase === shown) show(at, shown);
  else wait(at);
}

function wait(at: Running): void {
  show(at, loading);
  at.timer = setTimeout(() => {
    show(at, failed);
    fail(at, 1300, 'frame_timeout', true, 'Check allowed_origins and frame-src.');
  }, bootTimeout);
}

/** Gets a fresh token: from `fetchToken` when the page gave one, else by the click callback. */
function renew(at: Running): void {
  at.renewing = true;
  wait(at);
  void askPage(at, at.settings.fetchToken ?? at.settings.onWidgetClickCallback);
}

/**
 * A session that ends behind a closed dialog asks for its token when it is opened again. One that
 * ends in view, and that the page can't renew, is told by the frame, which asks again by a press.
 */
function tokenNeeded(at: Running): void {
  const isPressed = !at.held;
  at.held = null;
  if (!at.result) return;
  const renewable = !!at.settings.fetchToken;
  if (isPressed) renew(at);
  else if (at.renewing) {
    fail(at, 1100, 'token_refused');
    show(at, failed);
  } else {
    emit(at, 'TOKEN_EXPIRED', { renewable });
    if (renewable) renew(at);
    else if (at.phase === loading) show(at, failed);
  }
}

function dismiss(at: Running): void {
  close(at, at.phase === failed ? 'error' : at.place === 'done' ? 'completed' : 'dismissed');
}

/** The one way out of an open dialog; every close passes here once. */
function close(at: Running, reason: CloseReason, last_step = at.place): void {
  if (!at.result) return;
  at.result = undefined;
  clearTimeout(at.timer);
  at.unlock();
  at.dialog?.close();
  const result = { reason, last_step };
  emit(at, 'EXPERIENCE_CLOSED', result);
  at.settle(result);
  // There is a plan, perhaps a new one: what the widget says of it may be old.
  if (reason !== 'destroyed' && /done|manage/.test(last_step as string)) void checkIdentity(at);
}

/** Lets go of dialog, frame and session, at any moment. */
export function letGo(at: Running, reason: CloseReason): void {
  close(at, reason);
  hangUp(at);
  at.shell?.remove();
  at.dialog = undefined;
  at.held = at.place = null;
}
