import type { DocumentKind } from '@svc/contract';
import { defaultLocale, localeOf } from '@svc/contract/locales';
import { type Flow, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';

export interface SavedDocument {
  kind: DocumentKind;
  /** The id that `documentKinds` asks for, such as a plan's or a payment's. */
  id: string;
  /** Without the extension. */
  fileName: string;
}

/** Downloads one of the tenant's documents, in the language on screen. */
export async function saveDocument(
  flow: Flow,
  /** BCP 47. */
  locale: string,
  { kind, id, fileName }: SavedDocument,
): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await flow.api.documentAddress(kind, id, {
    locale: localeOf(locale) ?? defaultLocale,
    file_name: fileName,
  });
  store.busy.value = false;
  if (result.ok) {
    download(result.data.path, () => {
      store.notice.value = { kind: 'not_saved' };
    });
  } else reportProblem(flow, result.problem);
}

/**
 * Downloads a file from the service. Browsers download the response and leave the page as it is. An app's
 * WebView without downloads may show the response instead. It then does so in a hidden frame, so that the
 * response does not replace the tenant's page.
 */
function download(path: string, onNotSaved: () => void): void {
  const name = 'download';
  const frame = document.createElement('iframe');
  frame.name = name;
  frame.hidden = true;
  document.querySelector(`iframe[name="${name}"]`)?.remove();
  document.body.append(frame);
  frame.addEventListener('load', () => {
    // Firefox loads about:blank first. If the page has another origin and cannot be read, it was shown, too.
    if (frame.contentDocument?.URL === 'about:blank') return;
    frame.remove();
    onNotSaved();
  });
  const link = document.createElement('a');
  link.href = path;
  link.target = name;
  // The response has the name of the file.
  link.download = '';
  link.click();
}
