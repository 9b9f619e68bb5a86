<?php
// Serve this file at /webhooks/svc
require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

$webhook = new Webhook(getenv('SVC_WEBHOOK_SECRET'));
$headers = [];
foreach (['id', 'timestamp', 'signature'] as $name) {
    $headers['webhook-' . $name] = $_SERVER['HTTP_WEBHOOK_' . strtoupper($name)] ?? null;
}
try {
    $event = $webhook->verify(file_get_contents('php://input'), $headers);
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit($error->getMessage()); // The console shows it.
}
http_response_code(204); // Respond within 15 seconds; queue longer work.
error_log($event['id'] . ' ' . $event['type']); // Retries keep the id: skip ids you have processed.
