import type { EndpointHealth } from '../api/activity.ts';
import { nameResult } from '../attempts/explain-attempt.ts';
import { visibleText } from '../text/visible-text.ts';
import { Ago } from '../time/time.tsx';

/** How it failed last, in a few words; the service's hint on hover. */
export function LastFailure({ failure }: { failure: EndpointHealth['last_failure'] }) {
  if (failure === null) return <span className="endpoint-row__none">None</span>;
  return (
    <span title={visibleText(failure.hint)}>
      {nameResult(failure)}, <Ago at={failure.at} />
    </span>
  );
}
