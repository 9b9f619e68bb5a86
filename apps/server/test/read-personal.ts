import { json, row, sql, text } from '@svc/db';
import {
  openPersonal,
  type PersonalData,
  storedPersonal,
  storedPersonalSchema,
} from '../src/domain/tenants/personal-data.ts';
import type { Running } from './harness.ts';

const storedRow = row('stored personal data', { id: text, stored: json(storedPersonalSchema) });

/** Decrypts what the portal reported about the person. Null if nothing is stored. */
export async function readPersonal(
  { db, service }: Pick<Running, 'db' | 'service'>,
  externalId: string,
): Promise<PersonalData | null> {
  const { id, stored } = await db.one(
    storedRow,
    sql`select t.id, ${storedPersonal} as stored from tenant t where t.external_id = ${externalId}`,
  );
  return openPersonal(service.vault, id, stored);
}
