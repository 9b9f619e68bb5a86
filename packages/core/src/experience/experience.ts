import type { AppearanceMessage, CloseReason, FromFrame, ToFrame } from '@svc/contract/frame';
import { applyAppearance, inheritAppearance, resolveAppearance } from '../appearance.ts';
import { blockedMessage } from '../diagnostics/watch-policy.ts';
import { emit, emitError } from '../events.ts';
import type { Experience, ExperienceResult, Instance, Opening } from '../instance.ts';
import { baseUrlAdvice, tenantIdentity } from '../settings.ts';
import { applyToSession, updateSessionAfter } from '../widget/widget-session.ts';
import { guardBack } from './back-guard.ts';
import { createDialog, replaceFrame, setPhase, showPhase } from './dialog.ts';
import { followKeyboard } from './follow-keyboard.ts';
import { openChannel } from './frame-channel.ts';
import { lockScroll } from './scroll-lock.ts';
import { endTokenRequest, requestToken } from './token-request.ts';
import { watchPage } from './watch-page.ts';

/** A frame that has shown nothing after this many milliseconds gets an error message and a retry. */
const loadTimeout = 12_000;

/** Opens the dialog at once. While it is open, further calls join and get the same result. */
export async function openExperience(
  instance: Instance,
  token: unknown,
): Promise<ExperienceResult> {
  const isUsable = typeof token === 'string' && token !== '';
  endTokenRequest(instance, { openFailed: !isUsable });
  if (instance.destroyed) return { reason: 'destroyed', last_step: null };
  if (!isUsable) {
    emitError(instance, {
      code: 1100,
      error_code: 'token_not_a_string',
      msg: `openExperienceAndSetToken got ${typeof token === 'string' ? 'an empty string' : typeof token} instead of a token. Pass the token that portal_info returned.`,
    });
    return { reason: 'error', last_step: null };
  }
  const current = instance.experience;
  if (current?.opening && current.dialog.isConnected) {
    if (!current.token) deliverToken(instance, current, token);
    return current.opening.result;
  }
  const experience = warmExperience(instance);
  experience.reportClosed?.();
  let resolve: (result: ExperienceResult) => void = () => {};
  const result = new Promise<ExperienceResult>((resolver) => {
    resolve = resolver;
  });
  const backGuard = guardBack({
    onBack: () => goBack(instance, experience),
    onGone: () => dismiss(instance, experience),
  });
  const unlockScroll = lockScroll();
  const unfollowKeyboard = followKeyboard(experience.dialog);
  const unwatchPage = watchPage(experience, instance.widget?.element, {
    onGone: () => releaseExperience(instance, 'destroyed'),
    onHidden: () => dismiss(instance, experience),
  });
  const opening = { result, resolve, unlockScroll, unfollowKeyboard, unwatchPage, backGuard };
  experience.opening = opening;
  experience.renewing = false;
  experience.dialog.showModal();
  emit(instance, 'EXPERIENCE_OPENED', {});
  // The page's handler may have closed it again.
  if (experience.opening === opening) deliverToken(instance, experience, token);
  return result;
}

/** Loads the frame in a closed dialog, without a token, so that it is ready when the token comes. */
export function warmExperience(instance: Instance): Experience {
  const current = instance.experience;
  if (current?.dialog.isConnected) return current;
  // If the page has removed the dialog, release what is left of it.
  releaseExperience(instance, 'destroyed');
  const experience = createDialog(instance, {
    onDismiss: () => dismiss(instance, experience),
    onBack: () => goBack(instance, experience),
    onRetry() {
      if (experience.token) deliverToken(instance, experience, experience.token);
      else renewToken(instance, experience);
    },
  });
  instance.experience = experience;
  connectFrame(instance, experience);
  updateExperienceAppearance(instance);
  return experience;
}

function connectFrame(instance: Instance, experience: Experience): void {
  const { iframe } = experience;
  experience.channel?.close();
  experience.channel = openChannel<ToFrame, FromFrame>(iframe, instance.serviceOrigin, {
    onConnect() {
      setPhase(experience, 'loading');
      experience.canGoBack = false;
      if (experience.opening) waitForFrame(instance, experience);
      experience.channel?.send({
        ...appearanceMessage(instance, experience),
        type: 'init',
        token: experience.token,
        ...tenantIdentity(instance.settings),
      });
    },
    onMessage: (message) => handleMessage(instance, experience, message),
  });
}

/** Handles a message of the frame. Message types that this version does not know are ignored. */
function handleMessage(instance: Instance, experience: Experience, message: FromFrame): void {
  switch (message.type) {
    case 'ready':
      // A frame that is ready without a token has nothing to show yet.
      if (experience.token) showPhase(experience, 'shown');
      break;
    case 'step':
      experience.step = message.step;
      experience.renewing = false;
      break;
    case 'can_go_back':
      experience.canGoBack = message.value === true;
      break;
    case 'event':
      if (!message.event) break;
      applyToSession(instance, message.event.type);
      emit(instance, message.event.type, message.event.data as never);
      break;
    case 'close':
      closeExperience(instance, experience, message.reason, message.last_step);
      break;
    case 'escape':
      dismiss(instance, experience);
      break;
    case 'token_needed':
      handleTokenNeeded(instance, experience);
      break;
  }
}

/** Gives the frame a token. The same token shows the frame as the tenant left it; another replaces the session. */
function deliverToken(instance: Instance, experience: Experience, token: string): void {
  const isSameToken = token === experience.token;
  experience.token = token;
  if (experience.phase === 'failed') {
    replaceFrame(instance, experience);
    connectFrame(instance, experience);
  } else if (!isSameToken) {
    experience.channel?.send({ svc: 1, type: 'token', token });
  }
  if (isSameToken && experience.phase === 'shown') showPhase(experience, 'shown');
  else waitForFrame(instance, experience);
}

/** Shows the placeholder until the frame is ready, or an error message when it is not in time. */
function waitForFrame(instance: Instance, experience: Experience): void {
  showPhase(experience, 'loading');
  if (instance.blockedBy.has('frame-src')) {
    failBlocked(instance, experience);
    return;
  }
  experience.loadTimer = setTimeout(() => {
    const { serviceOrigin, problems } = instance;
    // The widget's own request has failed too, so the page's settings are not the likely cause.
    const isUnreachable = problems.some(({ error_code }) => error_code === 'network');
    const cause = isUnreachable
      ? `${serviceOrigin} does not answer.${baseUrlAdvice(instance)}`
      : `Check that allowed_origins contains ${location.origin} and that this page's frame-src allows ${serviceOrigin}.`;
    const msg = `The experience did not load within 12 seconds. ${cause}`;
    fail(instance, experience, { code: 1300, error_code: 'frame_timeout', msg }, true);
  }, loadTimeout);
}

/** Handles a frame that the page's policy has blocked. In a closed dialog, it fails when the dialog is opened. */
export function handleFrameBlocked(instance: Instance): void {
  const { experience } = instance;
  if (experience?.opening && experience.phase === 'loading') failBlocked(instance, experience);
}

function failBlocked(instance: Instance, experience: Experience): void {
  const msg = blockedMessage(instance, 'the frame of', 'frame-src');
  fail(instance, experience, { code: 1300, error_code: 'frame_blocked', msg });
}

/** Shows the message with its retry button, and reports why. */
function fail(
  instance: Instance,
  experience: Experience,
  error: Parameters<typeof emitError>[1],
  isUnclear = false,
): void {
  showPhase(experience, 'failed');
  emitError(instance, error, { isUnclear });
}

/**
 * The frame has no valid token: the session ended, or the token was refused. With `fetchToken` we
 * get a fresh one. Without it the frame shows that the session ended and asks again when the tenant
 * presses its button; that second request runs the click callback.
 */
function handleTokenNeeded(instance: Instance, experience: Experience): void {
  const isRepeated = !experience.token;
  experience.token = null;
  // In a closed dialog, nothing is needed: the next click fetches a token anyway.
  if (!experience.opening) return;
  if (isRepeated) {
    renewToken(instance, experience);
    return;
  }
  if (experience.renewing) {
    showPhase(experience, 'failed');
    emitError(instance, {
      code: 1100,
      error_code: 'token_refused',
      msg: 'The service refused a token that was just fetched. Return a new token from portal_info each time.',
    });
    return;
  }
  const renewable = !!instance.settings.fetchToken;
  emit(instance, 'TOKEN_EXPIRED', { renewable });
  // The page's handler may have closed it, or passed a token.
  if (!experience.opening || experience.token) return;
  if (renewable) renewToken(instance, experience);
  else if (experience.phase === 'loading') showPhase(experience, 'failed');
  // If a step was shown, the session has ended. Otherwise the page passed an invalid token.
  if (!renewable && !experience.step) {
    const msg =
      'The service refused the token: it was used before, is older than 60 minutes, or belongs to another tenant. Call portal_info for each click and return its new token.';
    emitError(instance, { code: 1100, error_code: 'token_refused', msg }, { isUnclear: true });
  }
}

function renewToken(instance: Instance, experience: Experience): void {
  experience.renewing = true;
  waitForFrame(instance, experience);
  const setting = instance.settings.fetchToken ? 'fetchToken' : 'onWidgetClickCallback';
  void requestToken(instance, setting, {
    onToken: (token) => void openExperience(instance, token),
    onFailure() {
      if (experience.opening) showPhase(experience, 'failed');
    },
  });
}

/** Handles the back button: goes one step back, or closes the dialog. Returns true if the dialog stays open. */
export function goBack(instance: Instance, experience: Experience): boolean {
  if (experience.phase === 'shown' && experience.canGoBack) {
    experience.channel?.send({ svc: 1, type: 'back' });
  } else {
    dismiss(instance, experience);
  }
  return !!experience.opening;
}

function dismiss(instance: Instance, experience: Experience): void {
  const isDone = experience.step === 'done';
  const reason = experience.phase === 'failed' ? 'error' : isDone ? 'completed' : 'dismissed';
  closeExperience(instance, experience, reason);
}

/** Every way to close an open dialog ends here, once. The frame stays, for a quick reopen. */
function closeExperience(
  instance: Instance,
  experience: Experience,
  reason: CloseReason,
  last_step = experience.step,
): void {
  const opening = endOpening(experience);
  if (!opening) return;
  updateSessionAfter(instance, last_step);
  const report = () => {
    if (experience.reportClosed !== report) return;
    experience.reportClosed = undefined;
    reportClosed(instance, opening, { reason, last_step });
  };
  experience.reportClosed = report;
  // The page often navigates on EXPERIENCE_CLOSED, so the history is restored before it is emitted.
  const leaving = opening.backGuard.leave();
  if (leaving) void leaving.then(report);
  else report();
}

function endOpening(experience: Experience): Opening | undefined {
  const { opening } = experience;
  if (!opening) return undefined;
  experience.opening = undefined;
  clearTimeout(experience.loadTimer);
  opening.unlockScroll();
  opening.unfollowKeyboard();
  opening.unwatchPage();
  experience.dialog.close();
  return opening;
}

function reportClosed(instance: Instance, opening: Opening, result: ExperienceResult): void {
  emit(instance, 'EXPERIENCE_CLOSED', result);
  opening.resolve(result);
}

/** Removes dialog, frame and session. Safe at any moment. */
export function releaseExperience(instance: Instance, reason: CloseReason): void {
  const { experience } = instance;
  if (!experience) return;
  experience.reportClosed?.();
  const opening = endOpening(experience);
  if (opening) {
    opening.backGuard.leaveLater();
    reportClosed(instance, opening, { reason, last_step: experience.step });
  }
  experience.channel?.close();
  experience.host.remove();
  if (instance.experience === experience) instance.experience = undefined;
}

/** Applies changed settings to the dialog and the frame in place, so that what was typed is kept. */
export function updateExperienceAppearance(instance: Instance): void {
  const { experience, settings } = instance;
  if (!experience) return;
  applyAppearance(experience.dialog, settings.appearance);
  const element = instance.widget?.element;
  inheritAppearance(experience.dialog, element?.isConnected ? element : document.body);
  experience.channel?.send(appearanceMessage(instance, experience));
}

function appearanceMessage({ settings }: Instance, { dialog }: Experience): AppearanceMessage {
  const { locale, appearance } = settings;
  const language = typeof locale === 'object' ? locale?.language : locale;
  return {
    svc: 1,
    type: 'appearance',
    theme: dialog.style.colorScheme,
    locale: language ?? null,
    appearance: { ...resolveAppearance(dialog), hasTheme: !!appearance?.theme },
  };
}
