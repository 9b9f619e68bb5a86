import { installation } from '../../domain/audit/record.ts';
import { type TermsPreview, termsChanges } from '../../domain/offers/preview-terms.ts';
import { requireOffers } from '../../domain/offers/require-offers.ts';
import { applyTerms, newestTerms, parseTerms } from '../../domain/partners/apply-terms.ts';
import { formatMoney } from '../../words/formats.ts';
import { defineCommand, type Facts, requiredOption } from '../command.ts';
import { readDay } from '../read-values.ts';
import { recordSteps } from '../record-steps.ts';
import { scheduleChecks } from '../schedule-checks.ts';
import { termsOptions } from './terms-preview.ts';

export const termsApply = defineCommand({
  name: 'terms apply',
  summary: 'store --file as a new version, in effect from --effective on',
  input: {
    ...termsOptions,
    effective: requiredOption(
      '--effective <date>',
      'the first day of the new terms, such as 2027-01-01',
      readDay('--effective'),
    ),
  },
  effect: 'control',
  console: { needs: 'terms' },
  scope: 'steps',
  /**
   * Stores a version of the terms with its audit entry, and then schedules the checks of eligibility in
   * short transactions. After an interruption, apply the same terms for the same day again.
   */
  async run(ctx, input) {
    const { user, reason = '' } = ctx.by;
    requireOffers(parseTerms(input.terms), input.effective);
    const { partner_id: partnerId, ...applied } = await recordSteps(ctx, async (uow) => {
      const result = await applyTerms(uow, { ...input, user, reason });
      const { version, pms, state, effective_from, sha256 } = result;
      const details = { pms: pms ?? 'all', state: state ?? 'all', effective_from, sha256 };
      const entry = { action: 'terms.applied', subject_id: version, details } as const;
      return { partnerId: installation, entry, result };
    });
    await scheduleChecks(ctx, { partnerId, effective: applied.effective_from });
    return applied;
  },
  approval: {
    when: 'always',
    target: async (tx, input) => ({
      ...(await newestTerms(tx)),
      ...(input.pms === undefined && { portals: 'all' }),
      ...(input.state === undefined && { states: 'all' }),
      ...changeFacts(await termsChanges(tx, input)),
    }),
  },
  describe: ({ version, pms, state, effective_from }) =>
    `${version} is in effect from ${effective_from} on, for ${pms ?? 'all partners'} in ${state ?? 'all states'}. Plans that exist keep their terms.\n`,
});

/**
 * Lists the changed rules for the approver, for example `fee: '$30.00 → $35.00'`. Changed documents are too long to
 * quote, so they are only named.
 */
function changeFacts(changes: TermsPreview['changes']): Facts {
  const valueText = (field: string, value: unknown) =>
    value === null
      ? 'not set'
      : field.endsWith('_in_cents')
        ? formatMoney(Number(value))
        : Array.isArray(value)
          ? value.join(', ')
          : String(value);
  return Object.fromEntries(
    changes.map(({ field, now, new: next }) => [
      field.replace(/_in_cents$/, ''),
      field === 'documents'
        ? 'other texts'
        : `${valueText(field, now)} → ${valueText(field, next)}`,
    ]),
  );
}
