import { readConfig } from './config.ts';
import { startService } from './main.ts';
import { fail, runUntilSignal } from './operator/run-until-signal.ts';

// `npm run serve`: the service alone, in any environment.
await runUntilSignal(async () => {
  const config = readConfig();
  const started = await startService(config, { onLost: fail });
  process.stdout.write(`Svc (${config.environment}) answers at ${started.origin}\n`);
  return started;
});
