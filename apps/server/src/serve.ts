import { readConfig, readUnknownSettings } from './config.ts';
import { startService } from './main.ts';
import { exitWithError, runUntilSignal } from './operator/run-until-signal.ts';

// `npm run serve`: the service alone, in any environment.
await runUntilSignal(async () => {
  const config = readConfig();
  for (const { message } of readUnknownSettings()) process.stderr.write(`${message}\n`);
  const started = await startService(config, { onLost: exitWithError });
  const status = config.roles.includes('api')
    ? `answers at ${started.origin}`
    : `runs background work; health checks at ${started.listeningAt}`;
  process.stdout.write(`Svc (${config.environment}) ${status}\n`);
  return started;
});
