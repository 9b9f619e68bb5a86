import type { DocumentKind } from '@svc/contract';
import { defaultLocale, localeOf } from '@svc/contract/locales';
import { saveFile } from '../frame/save-file.ts';
import { type Flow, startRequest } from './flow.ts';
import { reportProblem } from './report-problem.ts';

export interface SavedDocument {
  kind: DocumentKind;
  /** The id that `documentKinds` asks for, such as a plan's or a payment's. */
  id: string;
  /** Without the extension. */
  fileName: string;
}

/** Downloads one of the tenant's documents as a PDF, in the language on screen. */
export async function saveDocument(
  flow: Flow,
  /** BCP 47. */
  locale: string,
  { kind, id, fileName }: SavedDocument,
): Promise<void> {
  const { store } = flow;
  if (store.busy.value) return;
  startRequest(flow);
  const result = await flow.api.document(kind, id, localeOf(locale) ?? defaultLocale);
  store.busy.value = false;
  if (result.ok) saveFile(`${fileName}.pdf`, result.data);
  else reportProblem(flow, result.problem);
}
