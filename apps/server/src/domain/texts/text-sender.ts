/** Sends and receives text messages through a provider. Numbers are E.164: `+12125550123`. */
export interface TextSender {
  /** True if texts of simulated tenants may be sent: their numbers may belong to other people. */
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
  /** Seconds after which the provider drops a text that it could not deliver. */
  readonly validForSeconds: number;
  /** The URL to which the provider reports the text's status. Null if it should not. */
  readonly statusUrl: string | null;
  readonly date: Date;
}

/** Why a number gets no more texts: its owner told the carrier to stop, or it cannot receive any. */
export type NumberEnd = 'stop' | 'undeliverable';

/** `unknown`: the provider may have the text, so sending again could send it twice. */
export type TextOutcome =
  | { readonly kind: 'accepted'; readonly ref: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly ends: NumberEnd | null }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface TextWebhookRequest {
  /** The URL as the provider knows it: our public origin, the path and the query. */
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
  /** True if the provider has already answered the text. */
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
  /** True if texts may name amounts and the property. */
  readonly showsDetails: boolean;
  /** The number of codes that the tenants of one partner may request in 24 hours. */
  readonly codesPerDay: number;
}

/** The path to which the provider posts replies and status reports. */
export const textWebhookPath = '/webhooks/texts';
