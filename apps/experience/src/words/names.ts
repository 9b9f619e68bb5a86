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

/** Returns the payee inside a sentence: the property's name, else "your landlord" or "your association". */
export function payeeOf({ tenant }: ExperienceState, words: FirstWords): string {
  return tenant.property_name ?? words.product[tenant.product_variant].payee;
}

/** Returns the words for what is due this month: rent, a share of it on a shared lease, or dues. */
export function productOf({ tenant }: Pick<ExperienceState, 'tenant'>, { product }: FirstWords) {
  return product[nounOf(tenant.product_variant, tenant.shares_lease)];
}

/** Returns the words for what a plan pays for, as of when it was made. */
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

/** Returns the portal's description of a charge, or else the name of its type. */
export function chargeName(
  { description, type }: ExperienceState['charges'][number],
  { offer: { chargeTypes } }: FirstWords,
): string {
  return description ?? entryOf(chargeTypes, type);
}

/** Returns the name of a bank account or card within a sentence, with its last digits. */
export function methodName(
  { brand, last4 }: PaymentMethodOutput,
  { methods }: Pick<Words, 'methods'>,
): string {
  return brand === null ? methods.bankAccount(last4) : methods.card(capital(brand), last4);
}

/** Returns why a bank refused a payment, by its return code; a general sentence for an unknown code. */
export function bankReason(returnCode: string, { bankReasons }: Words): string {
  return entryOf(bankReasons, returnCode);
}

/** Returns why the processor's page gave no account or card. */
export function setupReason(
  reason: PaymentSetupOutput['reason'],
  { setupReasons, account }: Words,
): string {
  return reason === null ? account.page.failed : setupReasons[reason];
}

/** Returns a text from the service in the tenant's language; without a translation, in its first language. */
export function inLanguage<T>(text: T & Translated<T>, locale: string): T {
  return text.translations.find((it) => it.locale === localeOf(locale)) ?? text;
}

/** Returns the text of a list in the tenant's language; undefined if the list has none. */
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

/** Returns the text for `key`, or the text of `other` if this build does not know the key. */
function entryOf<K extends string>(entries: Record<K | 'other', string>, key: string): string {
  return Object.hasOwn(entries, key) ? entries[key as K] : entries.other;
}
