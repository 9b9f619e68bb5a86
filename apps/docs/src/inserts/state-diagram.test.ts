import { readFileSync } from 'node:fs';
import {
  applicationTransitions,
  installmentTransitions,
  planTransitions,
  settlementTransitions,
} from '@svc/contract';
import { expect, test } from 'vitest';
import { parseStates, stateDiagram } from './state-diagram.ts';

const guide = readFileSync(
  new URL('../../../../docs/how-a-split-works.md', import.meta.url),
  'utf8',
);
const machines = {
  application: applicationTransitions,
  plan: planTransitions,
  installment: installmentTransitions,
  settlement: settlementTransitions,
};

test.each(Object.entries(machines))(
  'the guide draws the %s as the code allows it',
  (name, machine) => {
    const text = new RegExp(`\`\`\`states ${name}\n([^\`]*)\`\`\``).exec(guide)?.[1] ?? '';
    expect(Object.fromEntries(parseStates(text))).toEqual(machine);
    const drawing = stateDiagram(text);
    expect(drawing.match(/<rect/g)).toHaveLength(Object.keys(machine).length);
    expect(drawing.match(/class="arrow"/g)).toHaveLength(Object.values(machine).flat().length);
  },
);
