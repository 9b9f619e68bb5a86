<?php
require __DIR__ . '/signatures.php';

function rows(string $path): array
{
    $lines = array_map(fn ($line) => explode("\t", $line), file($path, FILE_IGNORE_NEW_LINES));
    $names = array_shift($lines);
    return array_map(fn ($line) => array_combine($names, $line), $lines);
}

foreach (rows($argv[1]) as $row) {
    $externalId = base64_decode($row['external_id_base64'], true);
    echo sign_widget(base64_decode($row['api_key_base64'], true), $row['pms'], $externalId), "\n";
}
foreach (rows($argv[2]) as $row) {
    $raw = base64_decode($row['body_base64'], true);
    $fields = [$row['id'], $row['timestamp'], $row['signature'], $row['secret'], (int) $row['now']];
    echo verify($raw, ...$fields) ? "true\n" : "false\n";
}
