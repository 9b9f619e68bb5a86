import { createElement } from '../dom.ts';
import { builtInOrigin } from '../environment.ts';

/**
 * Shows in the box and in the console of a sandbox page why there is no widget; for wrappers of the SDK.
 * Does nothing on other pages, which get the ERROR event only.
 * @param error the SvcError that `Svc(…)` or `update(…)` has thrown
 * @returns a function that removes the note
 */
export function showSettingsProblem(
  box: HTMLElement | null,
  { baseUrl, environment }: { readonly baseUrl?: unknown; readonly environment?: unknown },
  { message }: Error,
): () => void {
  // If the environment is unusable, only pages on the developer's machine get the note.
  const isLocal = /^(localhost|127\.|.*\.localhost$)/.test(location.hostname);
  if (environment !== 'sandbox' && (environment === 'production' || !isLocal)) return () => {};
  const url = String(baseUrl);
  const origin = URL.canParse(url) ? new URL(url).origin : builtInOrigin(environment);
  const line = `Svc 1000 invalid_settings: ${message} ${origin}/docs/errors#invalid_settings`;
  console.error(line);
  const note = createElement('div', { role: 'note' }, line);
  // Set through CSSOM, because a Content Security Policy may block style attributes.
  note.style.cssText =
    'padding:16px;border:2px dashed;overflow:auto;white-space:pre-wrap;background:#fffbeb;color:#451a03;font:14px/1.5 sans-serif';
  box?.append(note);
  return () => note.remove();
}
