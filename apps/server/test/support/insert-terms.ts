import { createHash } from 'node:crypto';
import { type Database, sql } from '@svc/db';
import {
  builtInTermsByVersion,
  defaultTermsVersion,
  type ProgramTerms,
} from '../../src/domain/partners/terms.ts';
import { newId } from '../../src/ids.ts';

/** Stores a version of the terms that is in effect already, which `svc-admin terms apply` refuses. */
export async function insertTerms(
  db: Database,
  change: Partial<ProgramTerms>,
  {
    partnerId = null,
    state = null,
    effectiveFrom = '2000-01-01',
  }: { partnerId?: string | null; state?: string | null; effectiveFrom?: string } = {},
): Promise<string> {
  const now = new Date();
  const version = newId('trm', now);
  const terms = JSON.stringify({ ...builtInTermsByVersion[defaultTermsVersion], ...change });
  await db.run(sql`
    insert into program_terms (version, partner_id, state, effective_from, terms, sha256,
      created_by, reason, created_at)
    values (${version}, ${partnerId}, ${state}, ${effectiveFrom}, ${terms}::jsonb,
      ${createHash('sha256').update(terms).digest()}, 'test', 'test', ${now})`);
  return version;
}
