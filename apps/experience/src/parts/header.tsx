import type { Step } from '@svc/contract/frame';
import { closeExperience, useFlow } from '../flow/flow.ts';
import { fullDate } from '../format/dates.ts';
import { useFirstWords } from '../words/use-words.ts';
import { Icon, Logo } from './icons.tsx';
import { LanguageSwitch } from './language-switch.tsx';

/** The bar at the top. Its end is left empty for the SDK's close button, which a hosted page has here instead. */
export function Header({ onBack }: { onBack?: () => void }) {
  const { words } = useFirstWords();
  const flow = useFlow();
  const { state, page, isHosted } = flow.store;
  const steps = state.value?.apply_steps ?? [];
  const stepNumber = useStepNumber(steps);
  return (
    <>
      <header class="bar">
        {onBack === undefined ? (
          stepNumber === 0 && <PartnerLogo />
        ) : (
          <button type="button" class="bar__back" aria-label={words.back} onClick={onBack}>
            <Icon name="back" />
          </button>
        )}
        {stepNumber === 0 ? (
          <span class="bar__name">{page.partner?.name || page.lender?.name}</span>
        ) : (
          <p class="progress">
            <span class="svc-visually-hidden">{words.stepWord} </span>
            {words.stepOf(stepNumber, steps.length)}
            <span class="progress__bars" aria-hidden="true">
              {steps.map((name, index) => (
                <i key={name} data-done={index < stepNumber} />
              ))}
            </span>
          </p>
        )}
        <LanguageSwitch />
        {isHosted && state.value !== null ? (
          <button
            type="button"
            class="bar__back bar__close"
            aria-label={words.close}
            onClick={() => closeExperience(flow)}
          >
            <Icon name="close" />
          </button>
        ) : null}
      </header>
      <SandboxStrip />
    </>
  );
}

/** The partner's logo, or our own. It is decoration, because the partner's name is next to it. */
function PartnerLogo() {
  const logo = useFlow().store.page.partner?.appearance.logo;
  if (!logo) return <Logo />;
  return <img class="partner-logo" src={logo.url} width={logo.width} height={logo.height} alt="" />;
}

/** Returns the number of the step on screen, from 1; 0 for a screen without one. */
function useStepNumber(steps: readonly Step[]): number {
  const { step, view, methodExit } = useFlow().store;
  if (view.value.kind !== 'step') return 0;
  const stepNumber = steps.indexOf(step.value) + 1;
  // A returning tenant has an account. Changing it is part of the step it was changed from.
  return stepNumber === 0 && step.value === 'payment_method'
    ? steps.indexOf(methodExit.next) + 1
    : stepNumber;
}

/** Marks the sandbox, and shows the date if it is simulated. */
function SandboxStrip() {
  const { words, locale } = useFirstWords();
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
