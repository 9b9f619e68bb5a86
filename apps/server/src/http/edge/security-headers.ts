import type { App } from '../app.ts';

/** Browser features that our pages do not use. Payment and clipboard keep the browser's default. */
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

// One year. Without includeSubDomains, because other hosts of the operator's domain may need http.
const transport = 'max-age=31536000';

/**
 * Adds headers for an https origin. Cross-Origin-Opener-Policy applies to top-level documents only;
 * browsers ignore it in the frame in which a partner shows the experience.
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
