import type { Step } from '@svc/contract/frame';
import { useFlow } from '../flow/flow.ts';
import { fullDate } from '../format/dates.ts';
import { useWords } from '../words/use-words.ts';
import { Icon, Logo } from './icons.tsx';
import { LanguageSwitch } from './language-switch.tsx';

/** The steps that are numbered. */
const numberedSteps: readonly Step[] = [
  'application',
  'payment_method',
  'decision',
  'plan_choice',
  'consent',
];

/** The bar at the top. Its end is left empty for the SDK's close button. */
export function Header({ onBack }: { onBack?: () => void }) {
  const { words } = useWords();
  const { step, view, page } = useFlow().store;
  const place = view.value.kind === 'step' ? numberedSteps.indexOf(step.value) + 1 : 0;
  return (
    <>
      <header class="bar">
        {onBack === undefined ? (
          place === 0 && <PartnerLogo />
        ) : (
          <button type="button" class="bar__back" aria-label={words.back} onClick={onBack}>
            <Icon name="back" />
          </button>
        )}
        {place === 0 ? (
          <span class="bar__name">{page.partner?.name || page.lender?.name}</span>
        ) : (
          <p class="progress">
            <span class="svc-visually-hidden">{words.stepWord} </span>
            {words.stepOf(place, numberedSteps.length)}
            <span class="progress__bars" aria-hidden="true">
              {numberedSteps.map((name, index) => (
                <i key={name} data-done={index < place} />
              ))}
            </span>
          </p>
        )}
        <LanguageSwitch />
      </header>
      <SandboxStrip />
    </>
  );
}

/** The partner's logo, or our mark. Decoration: the partner's name is next to it. */
function PartnerLogo() {
  const logo = useFlow().store.page.partner?.appearance.logo;
  if (!logo) return <Logo />;
  return <img class="partner-logo" src={logo.url} width={logo.width} height={logo.height} alt="" />;
}

/** Marks the sandbox, and shows the date if it is simulated. */
function SandboxStrip() {
  const { words, locale } = useWords();
  const { page, state } = useFlow().store;
  const now = state.value;
  if (now === null ? !page.isSandbox : now.environment !== 'sandbox') return null;
  return (
    <p class="sandbox">
      <strong>{words.sandbox.mark}</strong>
      <span>
        {now?.simulated === true
          ? words.sandbox.date(fullDate(now.today, locale))
          : words.sandbox.note}
      </span>
    </p>
  );
}
