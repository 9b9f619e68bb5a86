import type { TenantTime } from '../../tenant-time.ts';

export type { TenantTime };

interface HasClock {
  readonly clockOffsetMs: number | null;
}

export function tenantTime(tenant: HasClock, wallTime: Date): TenantTime {
  return new Date(wallTime.getTime() + (tenant.clockOffsetMs ?? 0)) as TenantTime;
}

/** The wall time at which the tenant's clock shows `at`. */
export function wallTime(tenant: HasClock, at: TenantTime): Date {
  return new Date(at.getTime() - (tenant.clockOffsetMs ?? 0));
}

export function isSimulated(tenant: HasClock): boolean {
  return tenant.clockOffsetMs !== null;
}

/** The simulated time for the API; null for a tenant in real time. */
export function simulatedTime(tenant: HasClock, wallTime: Date): string | null {
  return isSimulated(tenant) ? tenantTime(tenant, wallTime).toISOString() : null;
}
