import type { Language } from './language.ts';

const verify = `function verify(
    string $raw,
    string $id,
    string $timestamp,
    string $signature,
    string $secret,
    int $now,
): bool {
    if ($id === '' || !ctype_digit($timestamp) || abs($now - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    $expected = base64_encode(hash_hmac('sha256', $id . '.' . $timestamp . '.' . $raw, $key, true));
    // During a rotation there is one entry per active secret; one match is enough.
    foreach (explode(' ', $signature) as $entry) {
        if (str_starts_with($entry, 'v1,') && hash_equals($expected, substr($entry, 3))) {
            return true;
        }
    }
    return false;
}`;

export const php: Language = {
  name: 'PHP',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'composer require standard-webhooks/standard-webhooks',
      file: 'webhooks.php',
      needs: 'PHP 8.',
      code: (path) => `<?php
// Serve this file at ${path.replaceAll('?>', '')}
require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\\Exception\\WebhookVerificationException;
use StandardWebhooks\\Webhook;

$webhook = new Webhook(getenv('SVC_WEBHOOK_SECRET'));
$headers = [];
foreach (['id', 'timestamp', 'signature'] as $name) {
    $headers['webhook-' . $name] = $_SERVER['HTTP_WEBHOOK_' . strtoupper($name)] ?? null;
}
try {
    $event = $webhook->verify(file_get_contents('php://input'), $headers);
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit($error->getMessage()); // Shown in this console.
}
http_response_code(204); // Respond within 15 seconds; queue longer work.
error_log($event['id'] . ' ' . $event['type']); // Retries keep the id: skip ids you have processed.
`,
    },
  ],
  manual: {
    file: 'webhooks.php',
    needs: 'PHP 8, no library.',
    verify,
    code: (path) => `<?php
// Serve this file at ${path.replaceAll('?>', '')}
$raw = file_get_contents('php://input'); // Do not parse it: the signature covers the raw bytes.
[$id, $timestamp, $signature] = array_map(
    fn (string $name): string => $_SERVER['HTTP_WEBHOOK_' . $name] ?? '',
    ['ID', 'TIMESTAMP', 'SIGNATURE'],
);
if (!verify($raw, $id, $timestamp, $signature, (string) getenv('SVC_WEBHOOK_SECRET'), time())) {
    http_response_code(400);
    exit;
}
http_response_code(204); // Respond within 15 seconds; queue longer work.
$event = json_decode($raw, true);
error_log($id . ' ' . $event['type']); // Retries keep the id: skip ids you have processed.

${verify}
`,
  },
};
