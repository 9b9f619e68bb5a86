import { createElement } from '../dom.ts';
import { builtInOrigin } from '../environment.ts';

/**
 * For wrappers of the SDK: says in the box and in the console of a sandbox page why there is no
 * widget. Does nothing on other pages, where the ERROR event is all.
 * @param error the SvcError that `Svc(…)` or `update(…)` has thrown
 * @returns a function that removes the note
 */
export function showSettingsProblem(
  box: HTMLElement | null,
  { baseUrl, environment }: { readonly baseUrl?: unknown; readonly environment?: unknown },
  { message }: Error,
): () => void {
  // Without a usable environment: a page on the developer's machine.
  const isLocal = /^(localhost|127\.|.*\.localhost$)/.test(location.hostname);
  if (environment !== 'sandbox' && (environment === 'production' || !isLocal)) return () => {};
  const url = String(baseUrl);
  const origin = URL.canParse(url) ? new URL(url).origin : builtInOrigin(environment);
  const line = `Svc 1000 invalid_settings: ${message} ${origin}/docs/errors#invalid_settings`;
  console.error(line);
  const note = createElement('div', { role: 'note' }, line);
  // CSSOM: a policy may block style attributes.
  note.style.cssText =
    'padding:16px;border:2px dashed;overflow:auto;white-space:pre-wrap;background:#fffbeb;color:#451a03;font:14px/1.5 sans-serif';
  box?.append(note);
  return () => note.remove();
}
