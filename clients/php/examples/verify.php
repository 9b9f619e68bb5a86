<?php

// Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64.

use Svc\Signatures;

require getenv('SVC_AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$keys, $id, $timestamp, $signature, $body] = explode("\t", $line);
    $headers = ['Webhook-Id' => $id, 'Webhook-Timestamp' => $timestamp, 'Webhook-Signature' => $signature];
    try {
        $event = Signatures::verifyWebhook(base64_decode($body), $headers, array_filter(explode(' ', $keys)));
        echo "verified {$event->getType()} {$event->getExternalId()}\n";
    } catch (Svc\WebhookVerificationError $error) {
        echo "refused {$error->getMessage()}\n";
    } catch (LogicException $error) {
        echo "misconfigured {$error->getMessage()}\n";
    }
}
