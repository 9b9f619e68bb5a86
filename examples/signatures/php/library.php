<?php
// #region verify
use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

/** The event, or null if we did not send it. `$raw` is `file_get_contents('php://input')`. */
function read_event(string $raw, array $server, string $secret): ?array
{
    $headers = [];
    foreach (['id', 'timestamp', 'signature'] as $name) {
        $headers['webhook-' . $name] = $server['HTTP_WEBHOOK_' . strtoupper($name)] ?? null;
    }
    try {
        return (new Webhook($secret))->verify($raw, $headers);
    } catch (WebhookVerificationException) {
        return null;
    }
}
// #endregion
