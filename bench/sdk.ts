import { readFileSync } from 'node:fs';
import { type Opened, startStage } from '../packages/core/test/fixture/stage.ts';
import { type Bench, compare, median, plainRow, type Row, range } from './rows.ts';

const rounds = 15;
const tokenMs = 300;

/** The cost of creating, clicking, opening and destroying the embedded widget in Chromium. */
export const bench: Bench = async () => {
  const script = readFileSync(new URL('./sdk/in-page.js', import.meta.url), 'utf8');
  const stage = await startStage({ 'in-page.js': script });
  const opened = await stage.open({ after: '<script type="module" src="/in-page.js"></script>' });
  await opened.page.waitForFunction('window.measure');
  const rows = [
    ...(await creating(opened)),
    await within('click to busy, painted', 50, () => ask(opened, 'click()')),
    await within('open to dialog, painted', 50, () => ask(opened, 'open()')),
    await within(`click to usable, over a token of ${tokenMs} ms`, 50, async () => {
      return (await ask<number>(opened, `interactive(${tokenMs})`)) - tokenMs;
    }),
    await leakOf(opened),
  ];
  await opened.close();
  await stage.close();
  return rows;
};

function ask<T = number>({ page }: Opened, call: string): Promise<T> {
  return page.evaluate(`measure.${call}`) as Promise<T>;
}

async function creating(opened: Opened): Promise<Row[]> {
  const ours: number[] = [];
  const hand: number[] = [];
  await ask(opened, 'create(500)');
  for (let round = 0; round < rounds; round += 1) {
    const times = await ask<{ ours: number; hand: number }>(opened, 'create(200)');
    ours.push(times.ours / 200);
    hand.push(times.hand / 200);
  }
  const name = 'createWidget(), against the same nodes by hand';
  return compare(name, 'ms', { ceiling: 3 }, ours, hand);
}

/** A row whose ratio is the measured time ÷ a limit in milliseconds. */
async function within(name: string, limit: number, measure: () => Promise<number>): Promise<Row> {
  const times: number[] = [];
  await measure();
  for (let round = 0; round < rounds; round += 1) times.push(await measure());
  const value = median(times);
  return {
    ...plainRow(`${name}: of ${limit} ms`, value, 'ms', range(times)),
    ceiling: 1,
    ratio: value / limit,
  };
}

/** Heap that 1,000 destroyed widgets leave behind. Tests check nodes and listeners. */
async function leakOf(opened: Opened): Promise<Row> {
  const session = await opened.page.context().newCDPSession(opened.page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
  };
  await ask(opened, 'cycle(50)');
  const before = await heap();
  await ask(opened, 'cycle(1000)');
  const value = Math.max(0, (await heap()) - before);
  return { ...plainRow('left by 1,000 widgets: of 1 MB', value, 'MB'), ceiling: 1, ratio: value };
}
