import type { Phrase } from '../locales/locale.ts';
import { translate } from '../locales/translate.ts';
import * as words from '../locales/words.ts';
import type { SvcSettings } from '../settings.ts';

export { Environment } from '../environment.ts';
export { SvcError } from '../svc-error.ts';
export {
  type CallbackName,
  type CallbackResult,
  type FromPage,
  type PassedSettings,
  type ToPage,
  webviewPath,
} from './messages.ts';

/** The texts that an app shows while the service's page has not loaded, in the widget's language. */
export function loadFailureTexts(
  locale: SvcSettings['locale'],
): Record<'title' | 'retry' | 'close' | 'dialogTitle', string> {
  const say = (text: Phrase) => translate({ locale }, text);
  return {
    title: say(words.loadFailed),
    retry: say(words.retry),
    close: say(words.close),
    dialogTitle: say(words.dialogTitle),
  };
}
