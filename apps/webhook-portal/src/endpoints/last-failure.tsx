import type { EndpointHealth } from '../api/activity.ts';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { nameResult } from '../deliveries/describe-attempt.ts';

/** How it failed last, in a few words; the service's hint on hover. */
export function LastFailure({ failure }: { failure: EndpointHealth['last_failure'] }) {
  if (failure === null) return <span className="endpoint-row__none">None</span>;
  return (
    <span title={visibleText(failure.hint)}>
      {nameResult(failure)}, <Ago at={failure.at} />
    </span>
  );
}
