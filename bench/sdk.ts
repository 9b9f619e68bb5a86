import { readFileSync } from 'node:fs';
import { type Opened, startStage } from '../packages/core/test/fixture/stage.ts';
import { type Bench, compare, median, plainRow, type Row, range } from './rows.ts';

const rounds = 15;
const tokenMs = 300;

/** Measures creating, clicking, opening and destroying the embedded widget in Chromium. */
export const bench: Bench = async () => {
  const script = readFileSync(new URL('./sdk/in-page.js', import.meta.url), 'utf8');
  const stage = await startStage({ 'in-page.js': script });
  const opened = await stage.open({ after: '<script type="module" src="/in-page.js"></script>' });
  await opened.page.waitForFunction('window.measure');
  const rows = [
    ...(await measureCreation(opened)),
    await measureAgainstLimit('click to busy, painted', 50, () => callPage(opened, 'click()')),
    await measureAgainstLimit('open to dialog, painted', 50, () => callPage(opened, 'open()')),
    await measureAgainstLimit(`click to usable, over a token of ${tokenMs} ms`, 50, async () => {
      return (await callPage<number>(opened, `interactive(${tokenMs})`)) - tokenMs;
    }),
    await measureLeak(opened),
  ];
  await opened.close();
  await stage.close();
  return rows;
};

function callPage<T = number>({ page }: Opened, call: string): Promise<T> {
  return page.evaluate(`measure.${call}`) as Promise<T>;
}

async function measureCreation(opened: Opened): Promise<Row[]> {
  const ours: number[] = [];
  const hand: number[] = [];
  await callPage(opened, 'create(500)');
  for (let round = 0; round < rounds; round += 1) {
    const times = await callPage<{ ours: number; hand: number }>(opened, 'create(200)');
    ours.push(times.ours / 200);
    hand.push(times.hand / 200);
  }
  const name = 'createWidget(), against the same nodes by hand';
  return compare(name, 'ms', { ceiling: 3 }, ours, hand);
}

/** A row whose ratio is the measured time ÷ a limit in milliseconds. */
async function measureAgainstLimit(
  name: string,
  limit: number,
  measure: () => Promise<number>,
): Promise<Row> {
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

/** Measures the heap that 1,000 destroyed widgets leave behind. Tests check nodes and listeners. */
async function measureLeak(opened: Opened): Promise<Row> {
  const session = await opened.page.context().newCDPSession(opened.page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
  };
  await callPage(opened, 'cycle(50)');
  const before = await heap();
  await callPage(opened, 'cycle(1000)');
  const value = Math.max(0, (await heap()) - before);
  return { ...plainRow('left by 1,000 widgets: of 1 MB', value, 'MB'), ceiling: 1, ratio: value };
}
