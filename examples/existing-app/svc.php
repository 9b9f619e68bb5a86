<?php
require __DIR__ . '/signatures.php';

const API = 'http://localhost:4000/v1';

/** Answers a request to /api/svc. Returns false for any other. */
function answer_svc(Portal $portal): bool
{
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    switch ($_SERVER['REQUEST_METHOD'] . ' ' . $path) {
        case 'GET /api/svc/settings':
            answer_json(widget_settings($portal->currentTenant()));
            return true;
        case 'POST /api/svc/token':
            answer_json(['token' => tenant_token($portal->currentTenant())]);
            return true;
        case 'POST /api/svc/webhooks':
            receive_webhook($portal, file_get_contents('php://input'));
            return true;
        default:
            return false;
    }
}

function widget_settings(array $tenant): array
{
    $pms = getenv('SVC_PMS');
    return [
        'pms' => $pms,
        'externalId' => $tenant['id'],
        'balance' => $tenant['balance'],
        'signature' => sign_widget(getenv('SVC_API_KEY'), $pms, $tenant['id']),
        'environment' => 'sandbox',
        'baseUrl' => API,
    ];
}

function tenant_token(array $tenant): string
{
    $known = [...$tenant['profile'], 'charges' => $tenant['open_charges']];
    return call_svc('POST', '/tenant/portal_info/' . rawurlencode($tenant['id']), $known)['token'];
}

function receive_webhook(Portal $portal, string $raw): void
{
    [$id, $timestamp, $signature] = array_map(
        fn (string $name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
        ['ID', 'TIMESTAMP', 'SIGNATURE'],
    );
    if (!verify($raw, $id, $timestamp, $signature, getenv('SVC_WEBHOOK_SECRET'), time())) {
        http_response_code(400);
        echo 'wrong signature';
        return;
    }
    http_response_code(500); // until all of it is done
    $event = json_decode($raw, true);
    $isReal = empty($event['test'])
        && empty($event['custom'])
        && $portal->knowsTenant($event['external_id'] ?? '');
    $isSettlement = $event['type'] === 'settlement.created';
    if ($isReal && $isSettlement && !$portal->isHandled($event['id'])) {
        $data = $event['data'];
        [$transactionId, $arrived] = $portal->debit($data['settlement_id'], $data['amount_in_cents']);
        call_svc('PATCH', '/settlements/' . $data['settlement_id'], [
            'status' => $arrived ? 'verified' : 'unverified', // sent; report `verified` when it arrives
            'processor_transaction_id' => $transactionId,
        ]);
        $portal->credit($event['external_id'], $data['charges_and_amounts_paid'], $event['id']);
    }
    http_response_code(204);
}

/** @throws RuntimeException if the call fails, so that the answer is 500 and we send the event again */
function call_svc(string $method, string $path, array $body): array
{
    $request = ['http' => [
        'method' => $method,
        'header' => [
            'Authorization: Bearer ' . getenv('SVC_API_KEY'),
            'Content-Type: application/json',
        ],
        'content' => json_encode($body),
        'timeout' => 10,
    ]];
    $answer = @file_get_contents(API . $path, false, stream_context_create($request));
    if ($answer === false) {
        throw new RuntimeException("$method $path: " . error_get_last()['message']);
    }
    return json_decode($answer, true)['data'];
}

function answer_json(array $body): void
{
    header('Content-Type: application/json');
    echo json_encode($body);
}
