<?php
// #region sign
function sign_widget(string $apiKey, string $pms, string $externalId): string
{
    return hash_hmac('sha256', $pms . '+' . $externalId, $apiKey);
}
// #endregion

// #region verify
function verify(
    string $raw,
    string $id,
    string $timestamp,
    string $signature,
    string $secret,
    int $now,
): bool {
    if ($id === '' || !ctype_digit($timestamp) || abs($now - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    $expected = base64_encode(hash_hmac('sha256', $id . '.' . $timestamp . '.' . $raw, $key, true));
    // During a rotation there is one entry per active secret; one match is enough.
    foreach (explode(' ', $signature) as $entry) {
        if (str_starts_with($entry, 'v1,') && hash_equals($expected, substr($entry, 3))) {
            return true;
        }
    }
    return false;
}
// #endregion
