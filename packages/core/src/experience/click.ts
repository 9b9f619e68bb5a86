import { emit } from '../events.ts';
import type { Instance } from '../instance.ts';
import { openExperience, warmExperience } from './experience.ts';
import { endTokenRequest, requestToken } from './token-request.ts';

/** A click on the widget: the frame loads while the page gets a token. */
export function handleClick(instance: Instance): void {
  if (instance.busy) return;
  emit(instance, 'WIDGET_CLICKED', {});
  // The page's handler may have destroyed the instance.
  if (instance.destroyed) return;
  warmExperience(instance);
  const { token } = instance.settings;
  if (token) void openExperience(instance, token);
  void requestToken(instance, 'onWidgetClickCallback', {
    onToken: (fetched) => void openExperience(instance, fetched),
    onFailure() {},
  });
  // With a preloaded token the experience is open already. The callback may join or do nothing.
  if (token) endTokenRequest(instance);
}
