import { parseArgs } from 'node:util';
import { describeLoad } from '../describe-load.ts';
import { type FailoverResult, measureFailover } from './measure-failover.ts';

// `npm run failover [-- --rounds 3]`: kills the primary of a cluster under traffic, promotes its
// standby, and prints what was lost. Exits with 1 when a result misses its target.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
console.log(`before: ${describeLoad()}`);
const results: FailoverResult[] = [];
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const result = await measureFailover({ lanes: 6, journeys: 60, outageMs: 5_000 });
  console.log(
    `round ${round}: ${result.calls} calls, ${result.retries} retries, ${result.messages} webhooks; during the outage /readyz was ${result.outage[0]}`,
  );
  console.log(result.ledger);
  for (const text of [...result.lost, ...result.refusals]) console.error(text);
  results.push(result);
}
const sum = (pick: (result: FailoverResult) => number) =>
  results.reduce((total, result) => total + pick(result), 0);
const seconds = Math.max(...results.map(({ secondsToWrite }) => secondsToWrite));
const undelivered = sum((it) => it.undelivered.length);
const faulty = results.filter(({ ledger }) => !ledger.includes('The ledger balances')).length;
const rows = [
  { name: 'acknowledged writes lost', value: sum((it) => it.lost.length), most: 0 },
  { name: 'requests refused for another reason', value: sum((it) => it.refusals.length), most: 0 },
  { name: 'payments made twice', value: sum((it) => it.movedTwice), most: 0 },
  { name: 'ledgers that do not balance', value: faulty, most: 0 },
  { name: 'webhooks not delivered', value: undelivered, most: 0 },
  { name: 'webhooks of lost commits', value: sum((it) => it.unknownWebhooks.length), most: 0 },
  { name: 'seconds from promotion to a write', value: Number(seconds.toFixed(2)), most: 10 },
  { name: 'processes restarted', value: sum((it) => it.ended), most: 0 },
];
console.log(
  `${sum((it) => it.acknowledged)} acknowledged writes, ${sum((it) => it.messages)} webhooks`,
);
console.table(rows.map(({ name, value, most }) => ({ name, value, 'at most': most })));
console.log(`after: ${describeLoad()}`);
process.exit(rows.every(({ value, most }) => value <= most) ? 0 : 1);
