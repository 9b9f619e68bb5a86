import type { Route } from './route.ts';
import { appearanceRoutes } from './routes/appearance.ts';
import { certificationRoutes } from './routes/certifications.ts';
import { consoleRoutes } from './routes/console.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { doctorRoutes } from './routes/doctor.ts';
import { endpointRoutes } from './routes/endpoints.ts';
import { experienceRoutes } from './routes/experience.ts';
import { messageRoutes } from './routes/messages.ts';
import { partnerRoutes } from './routes/partner.ts';
import { payoutRoutes } from './routes/payouts.ts';
import { portalRoutes } from './routes/portal.ts';
import { replayRoutes } from './routes/replays.ts';
import { settlementRoutes } from './routes/settlements.ts';
import { simulationRoutes } from './routes/simulation.ts';

/** Every route of the API below `/v1`. */
export const routes: readonly Route[] = [
  ...partnerRoutes,
  ...appearanceRoutes,
  ...consoleRoutes,
  ...doctorRoutes,
  ...certificationRoutes,
  ...settlementRoutes,
  ...payoutRoutes,
  ...simulationRoutes,
  ...endpointRoutes,
  ...messageRoutes,
  ...deliveryRoutes,
  ...replayRoutes,
  ...experienceRoutes,
  ...portalRoutes,
];
