import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TwilioSettings } from '../../src/outside/text-settings.ts';

/** How the double responds to the next request: as Twilio does, or with a failure. */
export type TwilioBehavior =
  | 'accept'
  /** It takes the text, and the answer never comes. */
  | 'accept_silently'
  /** It takes the text, and closes the connection. */
  | 'accept_and_drop'
  | { readonly status: number; readonly code?: number; readonly body?: string };

export type TwilioDouble = Awaited<ReturnType<typeof startTwilioDouble>>;

/** Twilio's Messages API on loopback. Each request uses up one of `behaviors`; after the last one it accepts. */
export async function startTwilioDouble() {
  const taken: Record<string, string>[] = [];
  const requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  const behaviors: TwilioBehavior[] = [];
  const silent: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
      answer(behaviors.shift() ?? 'accept', fields, response);
      for (const arrived of arrivals.splice(0)) arrived();
    });
  });
  function answer(
    behavior: TwilioBehavior,
    fields: Record<string, string>,
    response: ServerResponse,
  ): void {
    const send = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    if (typeof behavior === 'object') {
      const { status, code, body } = behavior;
      send(status, body ?? JSON.stringify({ code, message: 'refused', status }));
      return;
    }
    taken.push(fields);
    if (behavior === 'accept_silently') silent.push(response);
    else if (behavior === 'accept_and_drop') response.destroy();
    else send(201, JSON.stringify({ sid: `SM${taken.length}`, status: 'queued' }));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const settings: TwilioSettings = {
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'auth-token',
    from: '+12125550100',
    apiKeySid: undefined,
    apiKeySecret: undefined,
    url: `http://127.0.0.1:${port}`,
  };
  return {
    settings,
    /** The texts that it accepted. */
    taken,
    requests,
    behaviors,
    /** Resolves when the next request has arrived. */
    arrival: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    async close() {
      for (const response of silent) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body and the headers of a webhook that Twilio posts to `url`. */
export function signTwilioWebhook(
  { authToken }: Pick<TwilioSettings, 'authToken'>,
  url: string,
  fields: Readonly<Record<string, string>>,
) {
  const sorted = Object.keys(fields).sort();
  const text = url + sorted.map((name) => name + fields[name]).join('');
  return {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': createHmac('sha1', authToken).update(text).digest('base64'),
    },
  };
}
