import { expect, test } from 'vitest';
import { speakCommands } from './speak-commands.ts';

test.each([
  [
    'Call POST /v1/simulation/t-1/reset and repeat this call, or use another external id.',
    'Run "svc tenant reset t-1" and repeat this call, or use another external id.',
  ],
  [
    'To start over, call POST /v1/simulation/a%20b/reset.',
    'To start over, run "svc tenant reset \'a b\'".',
  ],
  ['GET /v1/tenants/t-1 has the reason.', '"svc tenant show t-1" has the reason.'],
  ['Odd: POST /v1/simulation/%zz/reset', 'Odd: "svc tenant reset \'%zz\'"'],
  [
    'Set them with PUT /v1/partner/allowed_origins.',
    'Set them with PUT /v1/partner/allowed_origins.',
  ],
])('%s', (advice, spoken) => {
  expect(speakCommands(advice)).toBe(spoken);
});
