import type {
  ExperienceState,
  PaymentMethodOutput,
  PaymentSetupOutput,
  PlanManagement,
  PlanOutput,
} from '@svc/contract';
import { defaultLocale, localeOf } from '@svc/contract/locales';
import { capital } from './capital.ts';
import type { FirstWords, Words } from './en.ts';

/** The payee inside a sentence: the property's name, else "your landlord" or "your association". */
export function payeeOf({ tenant }: ExperienceState, words: FirstWords): string {
  return tenant.property_name ?? words.product[tenant.product_variant].payee;
}

/** The words for what is due this month: rent, a share of it on a shared lease, or dues. */
export function productOf({ tenant }: Pick<ExperienceState, 'tenant'>, { product }: FirstWords) {
  return product[nounOf(tenant.product_variant, tenant.shares_lease)];
}

/** The words for what a plan pays for, as of when it was made. */
export function productOfPlan({ plan, management }: Planned, { product }: FirstWords) {
  return product[nounOf(plan.product_variant, management.shares_lease)];
}

interface Planned {
  plan: Pick<PlanOutput, 'product_variant'>;
  management: Pick<PlanManagement, 'shares_lease'>;
}

function nounOf(variant: PlanOutput['product_variant'], isShared: boolean) {
  return variant === 'rent' && isShared ? 'share' : variant;
}

/** The portal's description of a charge, or else the name of its type. */
export function chargeName(
  { description, type }: ExperienceState['charges'][number],
  { offer: { chargeTypes } }: FirstWords,
): string {
  return description ?? entryOf(chargeTypes, type);
}

/** The name of a bank account or card within a sentence, with its last digits. */
export function methodName(
  { brand, last4 }: PaymentMethodOutput,
  { methods }: Pick<Words, 'methods'>,
): string {
  return brand === null ? methods.bankAccount(last4) : methods.card(capital(brand), last4);
}

/** Why a bank refused a payment, by its return code; a general sentence for an unknown code. */
export function bankReason(returnCode: string, { bankReasons }: Words): string {
  return entryOf(bankReasons, returnCode);
}

/** Why the processor's page gave no account or card. */
export function setupReason(
  reason: PaymentSetupOutput['reason'],
  { setupReasons, account }: Words,
): string {
  return reason === null ? account.page.failed : setupReasons[reason];
}

/** A text from the service in the tenant's language; without a translation, its first language. */
export function inLanguage<T>(text: T & Translated<T>, locale: string): T {
  return text.translations.find((it) => it.locale === localeOf(locale)) ?? text;
}

/** The text of a list in the tenant's language. */
export function textIn<T extends { locale: string }>(
  texts: readonly T[],
  locale: string,
): T | undefined {
  const known = localeOf(locale) ?? defaultLocale;
  return texts.find((it) => it.locale === known);
}

interface Translated<T> {
  translations: readonly (T & { locale: string })[];
}

/** The text for `key`, or the text of `other` if this build does not know the key. */
function entryOf<K extends string>(entries: Record<K | 'other', string>, key: string): string {
  return Object.hasOwn(entries, key) ? entries[key as K] : entries.other;
}
