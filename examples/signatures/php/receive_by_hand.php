<?php
// Serve this file at /webhooks/svc
require __DIR__ . '/signatures.php';

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
