import { verifyWebhook, WebhookVerificationError } from '@svc/node';
import { handleEvent, readSettings } from '../../../../lib/svc';

/** Verifies the raw body and answers 2xx within 15 seconds. Anything else is sent again. */
export async function POST(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  try {
    handleEvent(verifyWebhook(body, request.headers, readSettings().webhookSecret));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}
