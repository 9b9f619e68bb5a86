<?php
require __DIR__ . '/svc.php';

/** Your app: its sessions, its ledger, and its processor. A file stands for your database. */
class Portal
{
    private const FILE = __DIR__ . '/ledger.json';
    private array $stored;

    public function __construct()
    {
        // The day in the home's time zone, as your ledger has it.
        $dueDate = (new DateTime('now', new DateTimeZone('America/Chicago')))->format('Y-m-d');
        $new = ['handled_ids' => [], 'tenant' => [
            'id' => 't-100',
            'balance' => 152012, // cents
            'profile' => ['first_name' => 'Ada', 'last_name' => 'Lane', 'email' => 'ada@example.com'],
            'open_charges' => [['id' => 'C-1', 'due_date' => $dueDate, 'amount_in_cents' => 152012]],
        ]];
        $this->stored = is_file(self::FILE)
            ? json_decode(file_get_contents(self::FILE), true)
            : $new;
    }

    public function currentTenant(): array
    {
        return $this->stored['tenant']; // from your session and your ledger
    }

    /** In the sandbox, also the tenants of `svc certify`. */
    public function knowsTenant(string $externalId): bool
    {
        return $externalId === $this->stored['tenant']['id'] || str_starts_with($externalId, 'certify-');
    }

    public function isHandled(string $eventId): bool
    {
        return in_array($eventId, $this->stored['handled_ids'], true);
    }

    /** @return array{string, bool} your processor's id, and whether the money has arrived */
    public function debit(string $settlementId, int $amountInCents): array
    {
        error_log("Debit $amountInCents for $settlementId"); // your processor
        return ["tr_$settlementId", true];
    }

    /** Credits the charges, and remembers the event, in one transaction of yours. */
    public function credit(string $externalId, array $charges, string $eventId): void
    {
        $tenant = &$this->stored['tenant'];
        foreach ($externalId === $tenant['id'] ? $charges : [] as $paid) {
            $isOpen = fn (array $charge) => $charge['id'] !== $paid['charge_id'];
            $tenant['balance'] -= $paid['amount_in_cents'];
            $tenant['open_charges'] = array_values(array_filter($tenant['open_charges'], $isOpen));
        }
        $this->stored['handled_ids'][] = $eventId;
        file_put_contents(self::FILE, json_encode($this->stored), LOCK_EX);
    }
}

// `php -S` itself sends the files of your pages.
return answer_svc(new Portal());
