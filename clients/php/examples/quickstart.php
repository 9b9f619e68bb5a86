<?php

use Svc\Api\Model\ChargeInput;
use Svc\Api\Model\PortalInfoInput;
use Svc\Client;
use Svc\Signatures;

require getenv('SVC_AUTOLOAD') ?: __DIR__ . '/vendor/autoload.php';

$apiKey = getenv('SVC_API_KEY');
$client = new Client($apiKey, getenv('SVC_BASE_URL'));

// 1. Sign the widget.
echo 'signature ', Signatures::signWidget($apiKey, 'my-portal', 't-100'), "\n";

// 2. When the tenant clicks, get a tenant token.
$charge = new ChargeInput([
    'id' => 'C-1',
    'due_date' => new DateTime('+14 days'),
    'amount_in_cents' => 152012,
]);
$tenant = new PortalInfoInput([
    'first_name' => 'Ada',
    'last_name' => 'Lane',
    'email' => 'ada@example.com',
    'charges' => [$charge],
]);
$token = $client->tenants->createTenantToken('t-100', $tenant)->getData()->getToken();
echo 'token ', var_export($token !== null, true), "\n";

// 3. List: pages are fetched as needed.
$tenants = Client::pages(fn (?string $cursor) => $client->tenants->listTenants(2, $cursor));
echo 'tenants ', iterator_count($tenants), "\n";

// 4. An error has a stable code.
try {
    $client->plansAndSettlements->getPlan('pln_none');
} catch (Svc\Error $error) {
    echo "error $error->status $error->errorCode\n";
}

// 5. When a webhook arrives, verify it.
function receive(string $body, array $headers): void
{
    $event = Signatures::verifyWebhook($body, $headers, getenv('SVC_WEBHOOK_SECRET'));
    if ($event->getType() === 'tenant.updated') {
        echo "webhook {$event->getExternalId()} ", implode(',', $event->getData()->getChanged()), "\n";
    }
}

$headers = [];
foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
    $headers[$name] = getenv(strtoupper(strtr($name, '-', '_')));
}
receive(file_get_contents(getenv('WEBHOOK_BODY_FILE')), $headers);
