import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { loadPrograms, termsOfVersion } from '../partners/program-terms.ts';
import { defaultTermsVersion } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';

/**
 * Offers one tenant of the sandbox the next plan under a version of the terms, whether or not it is in effect.
 * @throws Refusal `validation_failed` for a version that does not exist
 */
export async function setTermsVersion(
  { tx, actor }: Pick<Ctx<PartnerActor>, 'tx' | 'actor'>,
  { external_id, version }: { readonly external_id: string; readonly version: string },
): Promise<void> {
  const programs = await loadPrograms(tx, actor.partnerId);
  if (!termsOfVersion(programs, version)) {
    const names = [defaultTermsVersion, ...programs.map((it) => it.version)].join(', ');
    throw new Refusal('validation_failed', {
      errors: [
        { param: 'terms_version', code: 'invalid_value', message: `must be one of ${names}` },
      ],
    });
  }
  await tx.run(sql`
    update tenant set simulated_terms_version = ${version}
    where partner_id = ${actor.partnerId} and external_id = ${external_id}`);
}
