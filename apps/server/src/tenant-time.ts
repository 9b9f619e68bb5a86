/**
 * A tenant's time, which the sandbox can simulate: for due dates, windows and `occurred_at`. Expiry
 * and signatures use wall time.
 */
export type TenantTime = Date & { readonly tenantTime: true };
