import { MenuIcon, NextIcon, PulseIcon } from '../icons.tsx';
import { useWords } from '../words/use-words.ts';
import { Looks } from './looks.tsx';
import { moments, personOf, scenarioAfter, scenarioOf, tenantIn } from './moments.ts';

const title = 'Svc demo';

interface BarProps {
  tenantId: string;
  isBusy: boolean;
  activityCount: number;
  openSheet: 'guide' | 'activity' | null;
  /** Whether the guide and the activity are always in view. Otherwise the bar opens them. */
  hasSides: boolean;
  hasActivity: boolean;
  onChoose(tenantId: string): void;
  onOpen(sheet: 'guide' | 'activity'): void;
}

/** The demo's controls, visually separate from the portal. */
export function Bar(props: BarProps) {
  const { tenantId, hasSides, hasActivity, openSheet } = props;
  const { translate } = useWords();
  const { name, scenario } = scenarioOf(tenantId);
  const next = scenarioAfter(scenario);
  return (
    <header className="bar">
      <span className="svc-badge svc-tone-sandbox bar__mark">Sandbox</span>
      {hasSides ? (
        <h1 className="bar__title">{title}</h1>
      ) : (
        <>
          <h1 className="svc-visually-hidden">{title}</h1>
          <button
            type="button"
            className="bar__button bar__button--guide"
            aria-haspopup="dialog"
            aria-expanded={openSheet === 'guide'}
            onClick={() => props.onOpen('guide')}
          >
            <MenuIcon />
            <span className="svc-visually-hidden">{translate('Guide')}: </span>
            <span className="bar__name">{translate(name)}</span>
          </button>
        </>
      )}
      <button
        type="button"
        className="bar__button bar__button--next"
        disabled={props.isBusy}
        onClick={() => props.onChoose(tenantIn(personOf(tenantId), next))}
      >
        {next === null ? (
          translate('Back to the start')
        ) : (
          <span className="bar__name">
            <span className="bar__prefix">{translate('Next')}: </span>
            {translate(moments[next].name)}
          </span>
        )}
        <NextIcon />
      </button>
      <span className="bar__gap" />
      {hasSides ? <Looks /> : null}
      {hasActivity ? null : (
        <button
          type="button"
          className="bar__button"
          aria-haspopup="dialog"
          aria-expanded={openSheet === 'activity'}
          aria-label={`${translate('Activity')}: ${props.activityCount}`}
          onClick={() => props.onOpen('activity')}
        >
          <PulseIcon />
          <span className="bar__count">{props.activityCount}</span>
        </button>
      )}
    </header>
  );
}
