import type { DoctorCheckOutput } from '@svc/contract';

export type Check = DoctorCheckOutput;

/** Creates the results of one check. `docs` is a path below the service's origin. */
export function createCheck(
  id: Check['id'],
  title: string,
  { publicOrigin, docs }: { publicOrigin: string; docs: string },
) {
  const docs_url = publicOrigin + docs;
  const result =
    (status: Check['status']) =>
    (detail: string, fix: string | null = null): Check => ({
      id,
      status,
      title,
      detail,
      fix,
      docs_url,
    });
  return {
    pass: (detail: string) => result('pass')(detail),
    warn: (detail: string, fix: string) => result('warn')(detail, fix),
    fail: (detail: string, fix: string) => result('fail')(detail, fix),
    skipped: (detail: string) => result('skipped')(detail),
  };
}

export function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
