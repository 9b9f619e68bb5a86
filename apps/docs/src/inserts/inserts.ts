import { agentTools } from './agent-tools.ts';
import { errorCodes, operatorErrorCodes } from './error-codes.ts';
import { eventTypes } from './event-types.ts';
import { fieldCodes } from './field-codes.ts';
import type { Insert } from './insert.ts';
import { operatorCommands } from './operator-commands.ts';
import { retrySchedule } from './retry-schedule.ts';
import { sdkCodes } from './sdk-codes.ts';
import { testAccounts } from './test-accounts.ts';

/** Generated content by name. `<!-- insert error-codes -->` puts it into a page. */
export const inserts: Readonly<Record<string, () => Insert>> = {
  'agent-tools': agentTools,
  'error-codes': errorCodes,
  'event-types': eventTypes,
  'field-codes': fieldCodes,
  'operator-commands': operatorCommands,
  'operator-error-codes': operatorErrorCodes,
  'retry-schedule': retrySchedule,
  'sdk-codes': sdkCodes,
  'test-accounts': testAccounts,
};
