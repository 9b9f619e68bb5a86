import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, readUnknownSettings } from './config.ts';
import { defaultDataDir } from './database-settings.ts';
import { type RunningDemo, startDemoPortal } from './demo.ts';
import { createSandboxLink } from './domain/operators/sandbox-operator.ts';
import { startService } from './main.ts';
import { exitWithError, runUntilSignal } from './operator/run-until-signal.ts';
import { runAsSystem } from './seed-partner.ts';
import { ConfigError } from './service-settings.ts';

// `npm start [-- --verbose]`: the sandbox with a demo partner, to try everything in a browser.
await runUntilSignal(async () => {
  const { verbose } = readOptions();
  const read = readConfig();
  if (read.environment === 'production') {
    throw new ConfigError(
      'npm start runs the sandbox with a demo partner. In production, use npm run serve.',
    );
  }
  if (!read.roles.includes('api') || !read.roles.includes('worker')) {
    throw new ConfigError(
      'npm start runs the whole service in one process. Remove SVC_ROLES, or use npm run serve.',
    );
  }
  const config = {
    ...read,
    allowPrivateWebhooks: true,
    logLevel: verbose || read.logLevel !== 'info' ? read.logLevel : ('warn' as const),
  };
  for (const { message } of readUnknownSettings()) process.stderr.write(`${message}\n`);
  const service = await startService(config, { onLost: exitWithError });
  try {
    const demo = await startDemoPortal(service, config);
    const operator = await runAsSystem(service, createSandboxLink);
    process.stdout.write(welcome(service.origin, { demo, operator, dataDir: config.dataDir }));
    return {
      async close() {
        await demo.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
});

/** Reads the command line. Without --verbose, requests are not logged, so that the welcome text stays visible. */
function readOptions(): { verbose: boolean } {
  try {
    return parseArgs({ options: { verbose: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}. npm start takes --verbose only.`);
  }
}

interface Ready {
  readonly demo: RunningDemo;
  /** A link that signs in to the operator's console, once. */
  readonly operator: string;
  readonly dataDir: string;
}

function welcome(origin: string, { demo, operator, dataDir }: Ready): string {
  const notes = relative(process.cwd(), demo.notes) || demo.notes;
  const data = relative(process.cwd(), dataDir) || dataDir;
  // Another terminal does not have this environment variable.
  const where = data === defaultDataDir ? '' : `SVC_DATA_DIR=${data} `;
  return `
  Svc is ready (sandbox).

  Open   ${demo.origin}   a property portal with the widget in it
  Try    click "See my options", split the rent, and watch the signed webhook
         arrive next to it; or choose one of 14 scenarios in the guide

  API    ${origin}/v1
  Fill   ${where}npm run svc-admin -- demo fill   (in another terminal)
         adds 200 tenants with six months of plans and troubles, for the operator
  Docs   ${demo.docs}
         shows your key in the samples, and works once; without it ${origin}/docs
  Admin  ${operator}
         the operator’s console: signs you in once
  Keys   in ${notes}
  Data   in ${data}

  SVC_ALLOW_PRIVATE_WEBHOOKS=1 is set: webhooks may reach this machine and your network.
  Stop with Ctrl-C.

`;
}
