<?php

namespace Svc;

use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** The partner API. Each group of calls is a property, such as `$client->tenants`. */
final class Client
{
    public readonly Api\Api\TenantsApi $tenants;
    public readonly Api\Api\PlansAndSettlementsApi $plansAndSettlements;
    public readonly Api\Api\SimulationApi $simulation;
    public readonly Api\Api\EventsApi $events;
    public readonly Api\Api\WebhookEndpointsApi $webhookEndpoints;
    public readonly Api\Api\WebhookMessagesApi $webhookMessages;
    public readonly Api\Api\WebhookReplaysApi $webhookReplays;
    public readonly Api\Api\PartnerApi $partner;
    public readonly Api\Api\AppearanceApi $appearance;

    /** @param string $baseUrl ends with `/v1` */
    public function __construct(string $apiKey, string $baseUrl, ?callable $handler = null)
    {
        $stack = HandlerStack::create($handler);
        // With the key, the service does the call once, also if it is sent again.
        $stack->push(Middleware::mapRequest(static function (RequestInterface $request) {
            $changes = in_array($request->getMethod(), ['POST', 'PATCH'], true);
            if (!$changes || $request->hasHeader('Idempotency-Key')) {
                return $request;
            }
            return $request->withHeader('Idempotency-Key', bin2hex(random_bytes(16)));
        }));
        $stack->push(Middleware::mapResponse(static function (ResponseInterface $response) {
            if ($response->getStatusCode() >= 400) {
                throw Error::ofResponse($response);
            }
            return $response;
        }));
        $http = new \GuzzleHttp\Client(['handler' => $stack]);
        $configuration = (new Api\Configuration())->setHost($baseUrl)->setAccessToken($apiKey);
        $this->tenants = new Api\Api\TenantsApi($http, $configuration);
        $this->plansAndSettlements = new Api\Api\PlansAndSettlementsApi($http, $configuration);
        $this->simulation = new Api\Api\SimulationApi($http, $configuration);
        $this->events = new Api\Api\EventsApi($http, $configuration);
        $this->webhookEndpoints = new Api\Api\WebhookEndpointsApi($http, $configuration);
        $this->webhookMessages = new Api\Api\WebhookMessagesApi($http, $configuration);
        $this->webhookReplays = new Api\Api\WebhookReplaysApi($http, $configuration);
        $this->partner = new Api\Api\PartnerApi($http, $configuration);
        $this->appearance = new Api\Api\AppearanceApi($http, $configuration);
    }

    /**
     * The items of all pages.
     *
     * @param callable(?string): object $fetch takes a cursor, or null for the first page
     */
    public static function pages(callable $fetch): \Generator
    {
        $cursor = null;
        do {
            $page = $fetch($cursor)->getData();
            foreach ($page->getItems() as $item) {
                yield $item;
            }
            $cursor = $page->getNextCursor();
        } while ($cursor !== null);
    }
}
