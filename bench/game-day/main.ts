import { parseArgs } from 'node:util';
import { findCitus } from '@svc/db/testing';
import { describeLoad } from '../describe-load.ts';
import { playGameDay } from './play-game-day.ts';

// `npm run gameday [-- --partners 50 --outage 70 --pause 3 --only frozen]`: kills, freezes, fails over, migrates and
// restores the servers of a cluster under load, and prints what its partners noticed. Exits with 1 when something was
// lost or done twice. --outage is how long a server stays away, and --pause is the time between two calls of a tenant,
// both in seconds. --only plays the steps whose name contains it.
const { values } = parseArgs({
  options: {
    partners: { type: 'string', default: '50' },
    outage: { type: 'string', default: '70' },
    pause: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const bin = findCitus();
if (bin === undefined) {
  console.log('skipped: set SVC_TEST_CITUS_BIN to the programs of a PostgreSQL with Citus');
  process.exit(0);
}
console.log(`before: ${describeLoad()}`);
const { steps, restore, totals, faults } = await playGameDay(
  {
    bin,
    partners: Number(values.partners),
    only: values.only,
    outageMs: Number(values.outage) * 1_000,
    pauseMs: Number(values.pause) * 1_000,
  },
  (line) => console.log(line),
);
const seconds = (ms: number | null) => (ms === null ? '' : (ms / 1_000).toFixed(1));
console.table(
  Object.fromEntries(
    steps.map((it) => [
      it.name,
      {
        'lasted (s)': seconds(it.lastedMs),
        calls: it.calls,
        'others: longest call (s)': seconds(it.othersCallMs),
        'others: calls with 503': it.othersRefused,
        'others: jobs done after (s)': seconds(it.othersJobsMs),
        'own: all served after (s)': seconds(it.ownCallsMs),
        'own: jobs done after (s)': seconds(it.ownJobsMs),
      },
    ]),
  ),
);
console.log(
  `restore: backups of all servers ${seconds(restore.backUpMs)} s, restore point ${seconds(restore.pointMs)} s, ` +
    `servers and service back after ${seconds(restore.restoreMs)} s; ${restore.kept} acknowledged writes kept, ` +
    `${restore.gone} from after the point gone`,
);
console.log(
  `${totals.acknowledged} acknowledged writes, ${totals.plans} plans, ${totals.payments} payments, ${totals.webhooks} webhooks`,
);
console.log(`after: ${describeLoad()}`);
for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? 'Nothing was lost, and nothing was done twice.'
    : `${faults.length} faults.`,
);
process.exit(faults.length === 0 ? 0 : 1);
