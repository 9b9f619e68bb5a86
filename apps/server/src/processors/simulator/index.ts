import { sql } from '@svc/db';
import type { ProcessorDefinition } from '../define-processor.ts';
import { createPayoutRail } from './create-payout-rail.ts';
import { createSimulator } from './create-simulator.ts';

/** The processor of the sandbox. It moves no money, and nothing else uses its tables. */
export const simulator = {
  name: 'simulator',
  description: '',
  movesMoney: false,
  async open(_settings, { db, clock }) {
    const opened = createSimulator({ db });
    return {
      processor: opened,
      simulator: opened,
      payoutRail: createPayoutRail({ db, clock }),
    };
  },
  check: async () => 'the simulator, which moves no money',
  tables: {
    simulator_call: { isOfTenant: true },
    simulator_event: { isOfTenant: true },
    simulator_setup: { isOfTenant: true, erased: sql`true` },
    simulator_payout: {},
  },
  accounts: {},
  transfers: {},
  commands: [],
  auditActions: [],
} as const satisfies ProcessorDefinition<undefined>;
