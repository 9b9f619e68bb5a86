<?php

namespace Svc;

final class Signatures
{
    /** The widget's signature. It never expires, so it can be cached. */
    public static function signWidget(string $apiKey, string $pms, string $externalId): string
    {
        return hash_hmac('sha256', "$pms+$externalId", $apiKey);
    }

    /**
     * Returns the event if Svc sent it recently. An event of a known type is a model such as
     * `Api\Model\SettlementCreatedEvent`; any other is an `Api\Model\Event`.
     *
     * @param string $body as received
     * @param array<string, string> $headers
     * @param string|list<string> $secret the endpoint's `whsec_` secret or `whpk_` public key, or several
     * during a rotation. A public key needs the extension sodium.
     */
    public static function verifyWebhook(
        string $body,
        array $headers,
        string|array $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): Api\Model\ModelInterface {
        $verifiers = array_map(self::verifierOf(...), (array) $secret);
        if ($verifiers === []) {
            throw new \InvalidArgumentException('There is no secret or public key to verify with.');
        }
        $received = array_change_key_case($headers);
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (!isset($received[$name])) {
                throw new WebhookVerificationError("The request lacks $name.");
            }
        }
        $timestamp = $received['webhook-timestamp'];
        if (!ctype_digit($timestamp) || strlen($timestamp) > 12) {
            throw new WebhookVerificationError('webhook-timestamp is not a number of seconds.');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            throw new WebhookVerificationError("The message is too old, or this machine's clock is wrong.");
        }
        $signed = "{$received['webhook-id']}.$timestamp.$body";
        $matches = [];
        foreach ($verifiers as [$version, $verifies]) {
            foreach (explode(' ', $received['webhook-signature']) as $signature) {
                if (str_starts_with($signature, $version)) {
                    $matches[] = $verifies($signed, substr($signature, strlen($version)));
                }
            }
        }
        if ($matches === []) {
            throw new WebhookVerificationError("No signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ key verifies v1a, which an endpoint with asymmetric_signature sends.");
        }
        if (!in_array(true, $matches, true)) {
            throw new WebhookVerificationError("No signature matches. Pass the body as received, and this endpoint's secret or public key.");
        }
        $event = json_decode($body, false, 512, JSON_THROW_ON_ERROR);
        $name = str_replace(' ', '', ucwords(strtr($event->type, '._', '  ')));
        $class = "\\Svc\\Api\\Model\\{$name}Event";
        $known = empty($event->custom) && class_exists($class);
        return Api\ObjectSerializer::deserialize($event, $known ? $class : '\\Svc\\Api\\Model\\Event');
    }

    /**
     * The version of the signatures that a secret or public key verifies, and a function that verifies one.
     *
     * @return array{string, \Closure(string, string): bool}
     */
    private static function verifierOf(string $secret): array
    {
        if (str_starts_with($secret, 'whpk_')) {
            return ['v1a,', self::publicKeyVerifier(base64_decode(substr($secret, 5), true))];
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret is not whsec_ followed by base64.');
        }
        return ['v1,', static fn (string $signed, string $signature): bool =>
            hash_equals(base64_encode(hash_hmac('sha256', $signed, $key, true)), $signature)];
    }

    private static function publicKeyVerifier(string|false $key): \Closure
    {
        if (!function_exists('sodium_crypto_sign_verify_detached')) {
            throw new \LogicException("A whpk_ key needs PHP's extension sodium.");
        }
        if ($key === false || strlen($key) !== SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES) {
            throw new \InvalidArgumentException('The public key is not whpk_ followed by the base64 of 32 bytes.');
        }
        return static function (string $signed, string $signature) use ($key): bool {
            $bytes = base64_decode($signature, true);
            return $bytes !== false && strlen($bytes) === SODIUM_CRYPTO_SIGN_BYTES
                && sodium_crypto_sign_verify_detached($bytes, $signed, $key);
        };
    }
}
