<?php // #region app
require 'vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

const API = 'http://localhost:4000/v1';
$key = getenv('SVC_API_KEY');
$pms = getenv('SVC_PMS');
$tenant = ['id' => 't-100', 'balance' => 152012]; // cents; replace with your signed-in tenant
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
header('Content-Type: application/json');
// #endregion

// #region signature
if ($path === '/api/svc/settings') {
    $signature = hash_hmac('sha256', $pms . '+' . $tenant['id'], $key);
    echo json_encode([
        'pms' => $pms,
        'externalId' => $tenant['id'],
        'balance' => $tenant['balance'],
        'signature' => $signature,
        'environment' => 'sandbox',
        'baseUrl' => API,
    ]);
}
// #endregion

// #region token
if ($path === '/api/svc/token') {
    $charge = ['id' => 'C-1', 'due_date' => date('Y-m-d'), 'amount_in_cents' => $tenant['balance']];
    $request = curl_init(API . '/tenant/portal_info/' . rawurlencode($tenant['id']));
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FAILONERROR => true,
        CURLOPT_HTTPHEADER => ["Authorization: Bearer $key", 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode([
            'first_name' => 'Ada',
            'last_name' => 'Lane',
            'email' => 'ada@example.com',
            'charges' => [$charge],
        ]),
    ]);
    $answer = curl_exec($request);
    if ($answer === false) {
        http_response_code(502);
        exit;
    }
    echo json_encode(['token' => json_decode($answer, true)['data']['token']]);
}
// #endregion

// #region webhook
if ($path === '/api/svc/webhooks') {
    $headers = [];
    foreach (['id', 'timestamp', 'signature'] as $name) {
        $headers['webhook-' . $name] = $_SERVER['HTTP_WEBHOOK_' . strtoupper($name)] ?? null;
    }
    try {
        $webhook = new Webhook(getenv('SVC_WEBHOOK_SECRET'));
        $event = $webhook->verify(file_get_contents('php://input'), $headers);
    } catch (WebhookVerificationException $error) {
        http_response_code(400);
        exit($error->getMessage());
    }
    $isReal = empty($event['test']) && empty($event['custom']);
    if ($event['type'] === 'settlement.created' && $isReal) {
        error_log($event['data']['settlement_id']); // debit it; skip an id that you have stored
    }
    http_response_code(204);
}
// #endregion
