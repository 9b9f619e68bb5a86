import { verifyWebhook, WebhookVerificationError } from '@svc/node';
import { readSettings } from '../../../../lib/settings';

/** Verifies the raw body, and answers 2xx within 15 seconds. Anything else is retried. */
export async function POST(request: Request): Promise<Response> {
  const { webhookSecret } = readSettings();
  if (!webhookSecret) return new Response('Set SVC_WEBHOOK_SECRET.', { status: 500 });
  const rawBody = new Uint8Array(await request.arrayBuffer());
  try {
    const event = verifyWebhook(rawBody, request.headers, webhookSecret);
    // A test send or custom event describes objects that don't exist, so never act on one. Deliveries
    // can repeat: store event.id and skip the ones that you have.
    if (!event.test && !event.custom) console.log(event.id, event.type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}
