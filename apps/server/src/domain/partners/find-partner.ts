import { type Queryable, sql } from '@svc/db';

export interface Partner {
  readonly id: string;
  readonly pms: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
}

export async function findPartnerByPms(q: Queryable, pms: string): Promise<Partner | undefined> {
  return q.maybe<Partner>(sql`
    select id, pms, name, allowed_origins as "allowedOrigins" from partner where pms = ${pms}`);
}
