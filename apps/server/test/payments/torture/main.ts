import { parseArgs } from 'node:util';
import { type Report, torture } from './torture.ts';

// `npm run torture:payments -- [--seed 1] [--rounds 3] [--kills 30]`: runs the rounds, each with the
// next seed, and prints a table. Exits with 1 if the books of a round differ from the processor's.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '3' },
    kills: { type: 'string', default: '30' },
  },
});
const [first, rounds, kills] = [values.seed, values.rounds, values.kills].map(Number) as [
  number,
  number,
  number,
];

const reports: Report[] = [];
for (let seed = first; seed < first + rounds; seed += 1) {
  console.log(`seed ${seed} …`);
  try {
    reports.push(await torture({ seed, kills }));
  } catch (error) {
    console.error(error);
    const again = `--seed ${seed} --rounds 1 --kills ${kills}`;
    console.error(`failed; repeat with: npm run torture:payments -- ${again}`);
    process.exitCode = 1;
  }
}
console.table(reports.map(({ kills: byMoment, ...report }) => ({ ...report, ...byMoment })));
