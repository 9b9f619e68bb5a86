<?php

// For a project without Composer. Load Guzzle 7 before the first call.
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Svc\\')) {
        return;
    }
    $file = __DIR__ . '/lib/' . str_replace('\\', '/', substr($class, 4)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
