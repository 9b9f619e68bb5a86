import type { App } from '../app.ts';

/** Powers that no page of ours uses. Payment and clipboard stay at the browsers' default. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'usb',
];

// One year. Without includeSubDomains: other hosts of the operator's domain are not ours to decide.
const transport = 'max-age=31536000';

/**
 * Headers that make sense on an https origin only. Cross-Origin-Opener-Policy counts for top-level
 * documents; browsers ignore it in the frame in which a partner shows the experience.
 */
export function addSecurityHeaders(app: App): void {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('strict-transport-security', transport);
  });
  app.addHook('onSend', async (_, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return;
    reply
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', unusedFeatures.map((name) => `${name}=()`).join(', '));
  });
}
