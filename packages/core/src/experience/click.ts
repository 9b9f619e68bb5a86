import { emit } from '../events.ts';
import type { Instance } from '../instance.ts';
import { openExperience, warmExperience } from './experience.ts';
import { endTokenRequest, requestToken } from './token-request.ts';

/** Starts loading the frame. The pointer or the focus is on the button, so the tenant is likely to click. */
export function handleHint(instance: Instance): void {
  if (!instance.openInApp) warmExperience(instance);
}

/** Handles a click on the widget. The frame loads while the page gets a token. */
export function handleClick(instance: Instance): void {
  if (instance.busy) return;
  emit(instance, 'WIDGET_CLICKED', {});
  // The page's handler may have destroyed the instance.
  if (instance.destroyed) return;
  handleHint(instance);
  const { token } = instance.settings;
  if (token) open(instance, token);
  void requestToken(instance, 'onWidgetClickCallback', {
    onToken: (fetched) => open(instance, fetched),
    onFailure() {},
  });
  // With a preloaded token the experience is already open. The callback may join it, or do nothing.
  if (token) endTokenRequest(instance);
}

function open(instance: Instance, token: string): void {
  if (!instance.openInApp) {
    void openExperience(instance, token);
    return;
  }
  endTokenRequest(instance);
  instance.openInApp(token);
}
