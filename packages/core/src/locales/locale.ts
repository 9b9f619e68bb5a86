import type { PlanAction, StatusLine } from '@svc/contract/frame';
import type * as message from '../message/words.ts';
import type * as words from './words.ts';

/** What widget and message say, by what they say in English; some of it the service tells. */
export type Phrase =
  | (typeof words)[keyof typeof words]
  | (typeof message)[keyof typeof message]
  | StatusLine
  | PlanAction;

/** A language for widget and dialog. A phrase that is left out stays English. */
export interface SvcLocale extends Readonly<Partial<Record<Phrase, string>>> {
  /** BCP 47, with the region that money and dates are written for, such as `es-US`. */
  readonly language: string;
}
