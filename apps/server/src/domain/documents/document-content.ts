import type { Locale } from '@svc/contract';
import type { DocumentBlock } from '@svc/contract/document-blocks';

/** A part of a document, in reading order. */
export type ContentBlock =
  | DocumentBlock
  | { readonly kind: 'lead'; readonly text: string }
  | { readonly kind: 'bullets'; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      /** The last columns of a table are amounts; the first one names the row. */
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** The last row, in bold. */
      readonly total: readonly string[] | null;
    }
  | {
      /** The split bar: a segment for each payment of the plan. */
      readonly kind: 'bar';
      readonly segments: readonly { readonly share: number; readonly state: BarState }[];
      /** A description of the bar for screen readers. */
      readonly alt: string;
    }
  /** Small print, such as an identifier. */
  | { readonly kind: 'note'; readonly text: string };

/** `now`: the payment that the document is about. `credited`: a credit left nothing to pay. */
export type BarState = 'paid' | 'now' | 'open' | 'credited';

/** A document before it is laid out. Amounts and dates are formatted. */
export interface DocumentContent {
  readonly title: string;
  readonly locale: Locale;
  /** When the document came into being, for the file's metadata. Never the time of a download. */
  readonly createdAt: Date;
  readonly blocks: readonly ContentBlock[];
}

/** The look of a partner's documents. */
export interface DocumentLook {
  /** The portal's name as its residents know it. Empty if it has none. */
  readonly name: string;
  /** `#rrggbb` */
  readonly accent: string;
  /** A PNG that `readPng` has accepted. */
  readonly logo: { readonly bytes: Buffer; readonly width: number; readonly height: number } | null;
  /** The lender's name and address, printed at the foot of each page. */
  readonly lender: string;
}

/** A file without a layout. It is small, so each download creates it again. */
export interface TextFile {
  readonly text: string;
}

/** A document that a tenant may have, before it is known whether it is stored. */
export interface FoundDocument {
  /** The present values of facts that can still change, as a part of the stored file's key. Null to store nothing. */
  readonly revision: string | null;
  readonly locale: Locale;
  compose(): DocumentContent;
}
