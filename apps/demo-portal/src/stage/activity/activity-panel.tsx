import { useEffect, useRef } from 'react';
import type { Activity } from '../../../backend/answers.ts';
import { useWords } from '../../words/use-words.ts';
import { Panel, type PanelProps } from '../panel.tsx';
import { ActivityItem } from './activity-item.tsx';

interface ActivityPanelProps extends PanelProps {
  items: readonly Activity[];
  live: boolean;
}

/** This tenant's API calls, SDK events, and webhooks, live and in order. */
export function ActivityPanel({ items, live, ...panel }: ActivityPanelProps) {
  const { translate } = useWords();
  const list = useRef<HTMLDivElement>(null);
  const newest = items.at(-1)?.seq;
  useEffect(() => {
    if (newest !== undefined && panel.isOpen) {
      list.current?.scrollTo({ top: list.current.scrollHeight });
    }
  }, [newest, panel.isOpen]);
  return (
    <Panel
      {...panel}
      id="activity"
      title={translate('Activity')}
      mark={
        <span className={`svc-badge ${live ? 'svc-tone-good' : 'svc-tone-warn'}`}>
          {translate(live ? 'Live' : 'Reconnecting')}
        </span>
      }
    >
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <div className="panel__list" ref={list} tabIndex={0} role="log" aria-labelledby="activity">
        {items.length === 0 ? (
          <p className="panel__empty">
            {translate('API calls, widget events, and webhooks appear here as they happen.')}
          </p>
        ) : (
          <ol className="happenings">
            {items.map((activity) => (
              <ActivityItem key={activity.seq} activity={activity} />
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
