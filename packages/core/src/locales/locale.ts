import type * as message from '../message/words.ts';
import type * as words from './words.ts';

/** An English text of the widget, the dialog or the message. It is also the key of its translation. */
export type Phrase = (typeof words)[keyof typeof words] | (typeof message)[keyof typeof message];

/** A language for widget and dialog. A phrase that is left out stays English. */
export interface SvcLocale extends Readonly<Partial<Record<Phrase, string>>> {
  /** BCP 47, with the region that money and dates are written for, such as `es-US`. */
  readonly language: string;
}
