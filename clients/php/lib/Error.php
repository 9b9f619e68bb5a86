<?php

namespace Svc;

use Psr\Http\Message\ResponseInterface;

/** A failed call: `errorCode` is stable, and the message says what to do. */
final class Error extends \RuntimeException
{
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $requestId,
    ) {
        parent::__construct($message);
    }

    public static function ofResponse(ResponseInterface $response): self
    {
        $status = $response->getStatusCode();
        $error = json_decode((string) $response->getBody(), true)['error'] ?? null;
        if (!isset($error['code'], $error['message'])) {
            return new self($status, 'unknown', "The answer was $status.", null);
        }
        return new self($status, $error['code'], $error['message'], $error['request_id'] ?? null);
    }
}
