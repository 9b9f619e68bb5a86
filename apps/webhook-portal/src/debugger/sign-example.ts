import { hmacSha256, toBase64, utf8 } from './diagnosis/bytes.ts';

/** A request as it should be, signed now, with a body that a framework wrote again. */
export async function signExample(now: number) {
  const timestamp = Math.floor(now / 1000);
  const sent = '{"id":"evt_example","type":"plan.created","data":{"object_version":1}}';
  const signature = toBase64(await hmacSha256(key, `evt_example.${timestamp}.${sent}`));
  return {
    headers: [
      'webhook-id: evt_example',
      `webhook-timestamp: ${timestamp}`,
      `webhook-signature: v1,${signature}`,
    ].join('\n'),
    body: JSON.stringify(JSON.parse(sent), null, 2),
    secret: `whsec_${toBase64(key)}`,
  };
}

const key = utf8('an example, not a real secret');
