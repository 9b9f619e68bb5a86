import type { WebhookEvent } from '@svc/contract';
import { type VerifyWebhookOptions, verifyWebhook } from '../verify-webhook.ts';
import type { HeadersLike } from '../webhook-headers.ts';
import {
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '../webhook-verification-error.ts';
import {
  type BodyProblem,
  type NodeWebhookRequest,
  readFetchBody,
  readNodeBody,
} from './read-body.ts';

/** A webhook of one event type, with the `data` of that type. */
export type WebhookEventOf<Type extends WebhookEvent['type']> = Extract<
  WebhookEvent,
  { type: Type }
>;

/** One function for each event type. The second argument is what the store passes, such as a transaction. */
export type WebhookHandlers<Context = undefined> = {
  [Type in WebhookEvent['type']]?: (
    event: WebhookEventOf<Type>,
    context: Context,
  ) => void | Promise<void>;
};

/** Any webhook, including unknown types, test sends, and events that you published. */
export interface AnyWebhookEvent extends Omit<WebhookEvent, 'type' | 'data'> {
  type: string;
  data: Record<string, unknown>;
}

/** Remembers which messages were handled, because each can arrive more than once. */
export interface WebhookStore<Context = undefined> {
  /**
   * Calls `handle` if the message was not handled yet, and waits for it. Two calls with the same id may
   * run at the same time: only one of them may call `handle`, and the other one waits for it. If
   * `handle` throws, throw its error and forget the id, because we send the message again.
   *
   * @param id the message's id, the same on every attempt and replay
   * @param handle takes the value that the handlers get as their second argument
   */
  once(id: string, handle: (context: Context) => Promise<void>): Promise<void>;
}

type Secret = string | readonly string[];

/** The options of `webhookHandler`. */
export interface WebhookHandlerOptions<Context, Exhaustive extends boolean>
  extends VerifyWebhookOptions {
  /**
   * The endpoint's `whsec_…` secret, or several during a rotation. A function is called for each
   * webhook, so that a module which is loaded before its settings, as in a build, still works.
   */
  secret: Secret | (() => Secret | Promise<Secret>);
  /** Without one, a message that arrives twice is handled twice. */
  store?: WebhookStore<Context>;
  /** With `true`, a missing event type is a type error. Types of later releases are still accepted. */
  exhaustive?: Exhaustive;
  /** Receives each message without a handler: other types, test sends, and events that you published. */
  fallback?: (event: AnyWebhookEvent, context: Context | undefined) => void | Promise<void>;
  /**
   * Receives what a handler, the store or the function `secret` threw. There is no event if `secret` threw.
   * The response is 500, and we send the message again. Default: `console.error`.
   */
  onError?: (error: unknown, event: AnyWebhookEvent | undefined) => void;
}

/** The part of Node's `http.ServerResponse` that a webhook handler uses. */
export interface NodeWebhookResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

/** Answers webhooks. Both functions work without `this`, so pass them as they are. */
export interface WebhookHandler {
  /** For Next, Hono, Bun, Deno and Workers: `export const POST = handler.fetch`. */
  fetch(request: Request): Promise<Response>;
  /** For Node's `http` and Express, before `express.json()`: `app.post(path, handler.node)`. */
  node(request: NodeWebhookRequest, response: NodeWebhookResponse): Promise<void>;
}

/** Messages are far smaller; an anonymous request should not fill the memory. */
const maxBodyBytes = 1024 * 1024;

/**
 * Makes one receiver from a function for each event type: it verifies the signature, skips duplicates
 * and test sends, calls the function and answers. 204: done, or nothing to do. 400: not from Svc, or
 * changed. 413: over 1 MiB. 500: a function threw, or the receiver is set up wrongly, as the body says.
 *
 * @throws TypeError if a handler is not a function
 */
export function webhookHandler<Context = undefined, Exhaustive extends boolean = false>(
  handlers: Exhaustive extends true ? Required<WebhookHandlers<Context>> : WebhookHandlers<Context>,
  options: WebhookHandlerOptions<Context, Exhaustive>,
): WebhookHandler {
  for (const [type, handle] of Object.entries(handlers)) {
    if (typeof handle === 'function') continue;
    throw new TypeError(`The handler of ${type} must be a function, but is ${typeof handle}.`);
  }
  const answer = (method: string | undefined, headers: HeadersLike, read: ReadBody) =>
    answerRequest({ handlers, options: options as AnyOptions, method, headers, read });
  return {
    async fetch(request) {
      const read = () => readFetchBody(request, maxBodyBytes);
      const { status, text, headers } = await answer(request.method, request.headers, read);
      return new Response(text ?? null, { status, headers: headers ?? {} });
    },
    async node(request, response) {
      const read = () => readNodeBody(request, maxBodyBytes);
      const { status, text, headers } = await answer(request.method, request.headers, read);
      response.writeHead(status, headers ?? {});
      response.end(text);
    },
  };
}

type ReadBody = () => Promise<string | Uint8Array | BodyProblem>;
type AnyOptions = WebhookHandlerOptions<unknown, boolean>;
type Handle = (event: AnyWebhookEvent, context: unknown) => void | Promise<void>;

interface Answer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

interface Received {
  readonly handlers: object;
  readonly options: AnyOptions;
  readonly method: string | undefined;
  readonly headers: HeadersLike;
  readonly read: ReadBody;
}

async function answerRequest(received: Received): Promise<Answer> {
  const { handlers, options, method, headers, read } = received;
  if (method !== 'POST') {
    const notAllowed = textAnswer(405, 'Webhooks are POST requests.');
    return { ...notAllowed, headers: { ...notAllowed.headers, allow: 'POST' } };
  }
  const body = await read();
  if (isProblem(body)) return refuseBody(body);
  let event: AnyWebhookEvent | undefined;
  try {
    const secret = typeof options.secret === 'function' ? await options.secret() : options.secret;
    event = verifyWebhook(body, headers, secret, options) as AnyWebhookEvent;
    await dispatch(handlers, options, event);
    return { status: 204 };
  } catch (error) {
    if (!event && error instanceof WebhookVerificationError) {
      return textAnswer(isSetupMistake(error.reason) ? 500 : 400, error.message);
    }
    const report = options.onError ?? logError;
    report(error, event);
    const failed = event ? `handler of ${event.type}` : 'function that reads the secret';
    return textAnswer(500, `The ${failed} failed. The receiver logged why.`);
  }
}

async function dispatch(handlers: object, options: AnyOptions, event: AnyWebhookEvent) {
  const { store, fallback } = options;
  const handle = handlerOf(handlers, event) ?? fallback;
  if (!handle) return;
  if (store) await store.once(event.id, async (context) => handle(event, context));
  else await handle(event, undefined);
}

/** Test sends and published events describe objects that may not exist, so no handler of a type gets them. */
function handlerOf(handlers: object, { type, test, custom }: AnyWebhookEvent): Handle | undefined {
  if (test || custom || !Object.hasOwn(handlers, type)) return undefined;
  return (handlers as Record<string, Handle>)[type];
}

/** The receiver's own mistakes. A 500 keeps them apart from requests that are not from Svc. */
function isSetupMistake(reason: WebhookVerificationReason): boolean {
  return ['secret_is_api_key', 'invalid_secret', 'body_not_raw'].includes(reason);
}

function isProblem(body: string | Uint8Array | BodyProblem): body is BodyProblem {
  return typeof body === 'object' && 'message' in body;
}

/** Closes the connection, because the rest of the body may still be on it. */
function refuseBody({ status, message }: BodyProblem): Answer {
  const answer = textAnswer(status, message);
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

function textAnswer(status: number, text: string): Answer {
  return { status, text, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

function logError(error: unknown, event: AnyWebhookEvent | undefined): void {
  const failed = event
    ? `handler of the webhook ${event.id} (${event.type})`
    : 'secret of webhooks';
  console.error(`The ${failed} failed:`, error);
}
