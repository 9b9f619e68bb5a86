import { systemClock } from '@svc/runtime';
import { readConfig } from '../../apps/server/src/config.ts';
import { createPartner } from '../../apps/server/src/domain/partners/create-partner.ts';
import { startService } from '../../apps/server/src/main.ts';
import { administer } from '../../apps/server/src/operator/administer.ts';
import { runAsSystem } from '../../apps/server/src/seed-partner.ts';
import type { Order, Reply } from './start-clocked-service.ts';

// Runs as a process: the service, with a clock that the game day moves, so that several days' work falls due at once.
let aheadMs = Number(process.argv[2]);
const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
const started = await startService(readConfig(), { clock });
const silent = { info() {}, warn() {}, error() {} };

async function handleOrder(order: Order): Promise<Reply> {
  if (order.do === 'advance') {
    aheadMs += order.ms;
    return { did: 'advance', now: clock.now().toISOString() };
  }
  const keys: string[] = [];
  for (const pms of order.names) {
    keys.push((await runAsSystem(started, (ctx) => createPartner(ctx, { pms }))).api_key);
    const schedule = {
      command: 'payout schedule',
      pms,
      method: 'debit',
      cut_off_hour: 17,
    } as const;
    const answer = await administer({ ...started, log: silent }, schedule, { user: 'game-day' });
    if (!answer.ok) throw new Error(answer.message);
  }
  return { did: 'create partners', keys };
}

process.on('message', (order: Order) => {
  handleOrder(order).then(
    (reply) => process.send?.(reply),
    (error: Error) => process.send?.({ did: 'fail', reason: error.message } satisfies Reply),
  );
});
// The parent process is gone, so the game day was interrupted.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => void started.close().then(() => process.exit(0)));
process.send?.({ did: 'start', url: started.origin } satisfies Reply);
