/** Sends and receives text messages through a provider. Numbers are E.164: `+12125550123`. */
export interface TextSender {
  /** Whether texts of simulated tenants may be sent: their numbers may belong to other people. */
  readonly takesSimulated: boolean;
  /** Makes one attempt. Failures of the provider are data. */
  send(text: OutgoingText): Promise<TextOutcome>;
  /**
   * Reads what the provider posted to us. Null if its signature is wrong, or if the provider receives
   * nothing.
   */
  readWebhook(request: TextWebhookRequest): TextWebhook | null;
  /** The answer to a webhook: the text to reply with, if any. */
  answer(text: string | null): { readonly type: string; readonly body: string };
}

export interface OutgoingText {
  readonly id: string;
  readonly to: string;
  readonly body: string;
  /** The provider drops it if it could not deliver it within so many seconds. */
  readonly validForSeconds: number;
  /** Where the provider reports what became of it. */
  readonly statusUrl: string | null;
  readonly date: Date;
}

/** Why a number gets no more texts: its owner said so to the carrier, or it takes none. */
export type NumberEnd = 'stop' | 'undeliverable';

/** `unknown`: the provider may have the text, so sending again could send it twice. */
export type TextOutcome =
  | { readonly kind: 'accepted'; readonly ref: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly ends: NumberEnd | null }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface TextWebhookRequest {
  /** As the provider has it: our public origin, the path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type TextWebhook = TextReply | TextStatus;

/** A text that a person sent to us. */
export interface TextReply {
  readonly kind: 'reply';
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** The provider has answered it already. */
  readonly isAnswered: boolean;
}

export interface TextStatus {
  readonly kind: 'status';
  readonly ref: string;
  /** Null if it was not refused so far. */
  readonly refusal: { readonly reason: string; readonly ends: NumberEnd | null } | null;
}

/** Text messages of a service that sends them. */
export interface Texts {
  readonly sender: TextSender;
  /** Texts may name amounts and the property. */
  readonly showsDetails: boolean;
  /** How many codes the tenants of one partner may request in 24 hours. */
  readonly codesPerDay: number;
}

/** Where the provider posts replies, and what became of a text. */
export const textWebhookPath = '/webhooks/texts';
