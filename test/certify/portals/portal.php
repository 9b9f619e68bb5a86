<?php
// A small portal that integrates Svc correctly. `mutations.ts` breaks one thing of it at a time.
// `php -S` runs this file from the beginning for each request, in one of several processes.

define('SERVICE', getenv('SVC_URL'));
define('KEY', getenv('SVC_API_KEY'));
define('PMS', getenv('SVC_PMS'));
define('SECRET', base64_decode(substr(getenv('SVC_WEBHOOK_SECRET'), strlen('whsec_'))));
const TOLERANCE_SECONDS = 300;
const MOST_BYTES = 1_000_000;

// The signed-in tenant.
const TENANT = ['id' => 't-100', 'balance' => 152_012];

const PLAN_STATES = [
    'plan.created' => 'created',
    'plan.activated' => 'active',
    'plan.past_due' => 'past_due',
    'plan.completed' => 'completed',
    'plan.canceled' => 'canceled',
];
const CHANGED_STATES = [
    'charged_off' => 'charged_off',
    'reopened' => 'active',
    'recovered' => 'active',
];

class Refused extends Exception
{
}

/** @throws Refused unless Svc signed the text within the last five minutes */
function verify(string $text): void
{
    $sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > TOLERANCE_SECONDS) {
        throw new Refused('the timestamp is missing or too old');
    }
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$sentAt.$text";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, SECRET, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $received) {
        if (hash_equals($expected, $received)) {
            return;
        }
    }
    throw new Refused('the signature does not match');
}

function receiveWebhook(string $body): void
{
    verify($body);
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    inTransaction(function (array &$stored) use ($event) {
        if (isset($stored['handled_ids'][$event['id']])) {
            return;
        }
        handle($stored, $event);
        $stored['handled_ids'][$event['id']] = true;
    });
}

/**
 * A portal has a database for this. If the function throws, nothing of what it did is stored.
 */
function inTransaction(callable $use): mixed
{
    $file = fopen(__DIR__ . '/stored.json', 'c+');
    flock($file, LOCK_EX);
    $new = ['handled_ids' => [], 'plans' => [], 'settlements' => []];
    $stored = json_decode(stream_get_contents($file), true) ?? $new;
    $result = $use($stored);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($stored));
    fclose($file); // and unlocks it
    return $result;
}

function handle(array &$stored, array $event): void
{
    if (!empty($event['test']) || !empty($event['custom'])) {
        return;
    }
    if (str_starts_with($event['type'], 'plan.')) {
        storePlan($stored['plans'], $event);
    }
    if ($event['type'] === 'settlement.created') {
        debit($stored['settlements'], $event);
    }
    if (str_starts_with($event['type'], 'settlement.')) {
        storeSettlement($stored['settlements'], $event);
    }
    if (($event['data']['change'] ?? '') === 'refunded') {
        bookRefunds($stored['settlements'], $event['data']['plan_id']);
    }
}

function storePlan(array &$plans, array $event): void
{
    $data = $event['data'];
    $known = $plans[$data['plan_id']] ?? ['version' => 0, 'state' => 'created'];
    if ($data['object_version'] <= $known['version']) {
        return;
    }
    $plans[$data['plan_id']] = [
        'external_id' => $event['external_id'],
        'version' => $data['object_version'],
        'state' => CHANGED_STATES[$data['change'] ?? '']
            ?? PLAN_STATES[$event['type']]
            ?? $known['state'],
    ];
}

function &settlementOf(array &$settlements, array $event): array
{
    $id = $event['data']['settlement_id'];
    $settlements[$id] ??= [
        'external_id' => $event['external_id'],
        'plan_id' => $event['data']['plan_id'],
        'status' => 'unsettled',
        'version' => 0,
        'debits' => [],
        'sent_back' => 0,
    ];
    return $settlements[$id];
}

/** The bank knows a debit by its key, so a second one with the same key moves no money. */
function debit(array &$settlements, array $event): void
{
    $id = $event['data']['settlement_id'];
    $key = substr(hash('sha256', $id), 0, 20);
    $settlement = &settlementOf($settlements, $event);
    $settlement['debits'][$key] = $event['data']['amount_in_cents'];
    $report = ['status' => 'verified', 'processor_transaction_id' => "tr_$key"];
    callSvc('PATCH', "/settlements/$id", $report);
}

function storeSettlement(array &$settlements, array $event): void
{
    $settlement = &settlementOf($settlements, $event);
    $data = $event['data'];
    if ($data['object_version'] <= $settlement['version']) {
        return;
    }
    $settlement['version'] = $data['object_version'];
    $settlement['status'] = $data['new_status'] ?? $settlement['status'];
    if ($settlement['status'] === 'returned') {
        $settlement['debits'] = []; // the bank has taken the money back
    }
}

/** The landlord may send money back in the console, too, so the refunds are read from Svc. */
function bookRefunds(array &$settlements, string $planId): void
{
    foreach ($settlements as $id => &$settlement) {
        if ($settlement['plan_id'] === $planId) {
            $refunds = callSvc('GET', "/settlements/$id/refunds")['items'];
            $settlement['sent_back'] = array_sum(array_column($refunds, 'amount_in_cents'));
        }
    }
}

/** Our view of a tenant, for which Svc asks during a certification. */
function viewOf(string $externalId): array
{
    return inTransaction(function (array &$stored) use ($externalId) {
        $isTheirs = fn (array $entry) => $entry['external_id'] === $externalId;
        $plan = null;
        foreach (array_filter($stored['plans'], $isTheirs) as $id => ['state' => $state]) {
            $plan = ['id' => $id, 'state' => $state];
        }
        $settlements = [];
        foreach (array_filter($stored['settlements'], $isTheirs) as $id => $settlement) {
            $settlements[] = [
                'id' => $id,
                'status' => $settlement['status'],
                'debited_in_cents' => array_sum($settlement['debits']),
                'sent_back_in_cents' => $settlement['sent_back'],
            ];
        }
        return ['plan' => $plan, 'settlements' => $settlements];
    });
}

function callSvc(string $method, string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: Bearer ' . KEY, 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 10,
    ]]);
    return json_decode(file_get_contents(SERVICE . "/v1$path", false, $context), true)['data'];
}

function newToken(): string
{
    $charge = [
        'id' => 'C-1',
        'due_date' => gmdate('Y-m-d'),
        'amount_in_cents' => TENANT['balance'],
    ];
    $person = ['first_name' => 'Ada', 'last_name' => 'Lane', 'email' => 'ada@example.com'];
    $path = '/tenant/portal_info/' . TENANT['id'];
    return callSvc('POST', $path, [...$person, 'charges' => [$charge]])['token'];
}

function page(): string
{
    $service = SERVICE;
    $settings = json_encode([
        'pms' => PMS,
        'externalId' => TENANT['id'],
        'balance' => TENANT['balance'],
        'signature' => hash_hmac('sha256', PMS . '+' . TENANT['id'], KEY),
        'environment' => 'sandbox',
        'baseUrl' => "$service/v1",
    ]);
    return <<<HTML
        <!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Your rent</title>
            <link rel="icon" href="data:,">
            <style>#rent { max-width: 560px; min-height: 250px }</style>
            <script type="module">
              import { Svc } from '$service/sdk/svc.js';
              const svc = Svc({
                ...$settings,
                onEvent: (type, data) => console.log(type, data),
                async onWidgetClickCallback() {
                  const { token } = await (await fetch('/token', { method: 'POST' })).json();
                  await svc.openExperienceAndSetToken(token);
                },
              });
              document.getElementById('rent').replaceChildren(svc.createWidget());
            </script>
          </head>
          <body>
            <main><h1>Your rent</h1><div id="rent"><a href="/pay">Pay your rent</a></div></main>
          </body>
        </html>
        HTML;
}

function answer(int $status, string $text = '', string $contentType = 'text/plain'): void
{
    http_response_code($status);
    header("Content-Type: $contentType");
    echo $text;
}

function route(): void
{
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    switch ($_SERVER['REQUEST_METHOD'] . ' ' . $path) {
        case 'GET /':
            answer(200, page(), 'text/html; charset=utf-8');
            break;
        case 'POST /token':
            answer(200, json_encode(['token' => newToken()]), 'application/json');
            break;
        case 'POST /webhooks':
            if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > MOST_BYTES) {
                answer(413, 'too large');
                break;
            }
            receiveWebhook(file_get_contents('php://input'));
            answer(204);
            break;
        case 'GET /tenant':
            verify($_GET['tenant'] ?? '');
            answer(200, json_encode(viewOf($_GET['tenant'])), 'application/json');
            break;
        default:
            answer(404, 'not found');
    }
}

// A warning, such as one about a missing key, would otherwise be printed into the answer.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
try {
    route();
} catch (Refused $error) {
    answer(401, $error->getMessage());
} catch (Throwable $error) {
    answer(500, $error->getMessage());
}
