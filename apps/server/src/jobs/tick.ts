import { type DueDeps, dueLanes } from './due-lanes.ts';
import { runLane } from './lane.ts';

/**
 * Does everything that is due now, one lane after the other. For tests and benches, which decide when
 * time passes; the service runs the lanes side by side.
 */
export async function tick(deps: DueDeps): Promise<void> {
  for (const lane of dueLanes(deps)) await runLane(lane);
}
