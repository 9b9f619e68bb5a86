import type { Welcome } from '../../backend/answers.ts';
import { addressOf } from '../session/use-location.ts';
import { useTheme } from '../session/use-theme.ts';
import { MoonIcon, PulseIcon, SunIcon } from './icons.tsx';

interface DemoBarProps {
  welcome: Welcome | null;
  tenantId: string | null;
  busy: boolean;
  activityCount: number;
  activityOpen: boolean;
  onSwitch(tenantId: string): void;
  onStartOver(): void;
  onWeekLater(): void;
  onActivity(): void;
}

/** The demo's controls, visually separate from the portal itself. */
export function DemoBar(props: DemoBarProps) {
  const { welcome, tenantId, busy } = props;
  return (
    <header className="bar">
      <span className="svc-badge svc-tone-sandbox bar__mark">Sandbox</span>
      <fieldset className="switcher">
        <legend className="svc-visually-hidden">Signed in as</legend>
        {welcome?.tenants.map(({ id, name, shows }) => (
          <label key={id} className="switcher__choice" ref={id === tenantId ? showChoice : null}>
            <input
              type="radio"
              name="tenant"
              className="switcher__radio"
              checked={id === tenantId}
              onChange={() => props.onSwitch(id)}
            />
            <span className="switcher__name">{name}</span>
            <span className="switcher__shows">{shows}</span>
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        className="bar__button"
        disabled={busy || tenantId === null}
        title="Resets this tenant’s simulation and cancels its plans"
        onClick={props.onStartOver}
      >
        Start over
      </button>
      <button
        type="button"
        className="bar__button"
        disabled={busy || tenantId === null}
        title="Advances this tenant’s clock by a week: due reminders, payments, and webhooks happen now"
        onClick={props.onWeekLater}
      >
        A week later
      </button>
      <span className="bar__gap" />
      <span className="bar__links">
        <a className="bar__link" href={addressOf('/plain', tenantId)}>
          Plain JavaScript
        </a>
        <a className="bar__link" href="/manage-webhooks" target="_blank" rel="noreferrer">
          Manage webhooks
        </a>
      </span>
      <ThemeButton />
      <button
        type="button"
        className="bar__button"
        aria-expanded={props.activityOpen}
        onClick={props.onActivity}
      >
        <PulseIcon />
        <span>What just happened</span>
        <span className="bar__count">{props.activityCount}</span>
      </button>
    </header>
  );
}

/** Scrolls the selected tenant into view, because the list is wider than a phone screen. */
function showChoice(choice: HTMLElement | null): void {
  choice?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

function ThemeButton() {
  const { theme, toggle } = useTheme();
  const label = theme === 'dark' ? 'Use the light theme' : 'Use the dark theme';
  return (
    <button
      type="button"
      className="bar__button bar__button--icon"
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
