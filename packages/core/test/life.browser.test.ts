import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

declare global {
  interface Window {
    /** Each function resolves a promise that the SDK is waiting for. */
    pending: (() => void)[];
    pause(): Promise<string>;
    until(is: () => unknown): Promise<void>;
    button(): HTMLButtonElement;
    frame(): HTMLIFrameElement | null | undefined;
    /** Listeners for messages to the page. */
    listening: Set<unknown>;
  }
}

const pauseRequests = `<script>
  pending = [];
  pause = () => new Promise((resolve) => pending.push(() => resolve('svc_tt_late')));
  const answer = { error: null, data: { state: 'has_plan' } };
  fetch = () => pause().then(() => ({ json: () => pause().then(() => answer) }));
  until = async (is) => { while (!is()) await new Promise((resolve) => setTimeout(resolve)); };
  button = () => document.querySelector('#slot > div').shadowRoot.querySelector('button');
  frame = () => document.documentElement.lastElementChild.shadowRoot?.querySelector('iframe');
  listening = new Set();
  for (const [name, mark] of [['addEventListener', 'add'], ['removeEventListener', 'delete']]) {
    const own = window[name];
    window[name] = (type, listener) => {
      if (type === 'message') listening[mark](listener);
      own(type, listener);
    };
  }
</script>`;

/** Moments at which the test destroys the instance: each await in the SDK, and each call of the page. */
const moments: [moment: string, act: () => unknown][] = [
  [
    'before there is a widget',
    () => {
      window.driver.svc = window.sdk.Svc(window.driver.settings);
    },
  ],
  ['before the first frame', () => window.driver.mount()],
  [
    'in WIDGET_READY',
    async () => {
      window.driver.mount();
      window.driver.svc.on('WIDGET_READY', () => window.driver.svc.destroy());
      await window.until(() => window.driver.events.length > 0);
    },
  ],
  [
    'while the identity is asked',
    async () => {
      window.driver.mount();
      await window.until(() => window.pending.length > 0);
    },
  ],
  [
    'while the answer is read',
    async () => {
      window.driver.mount();
      await window.until(() => window.pending.length > 0);
      window.pending.shift()?.();
      await window.until(() => window.pending.length > 0);
    },
  ],
  [
    'in WIDGET_CLICKED',
    () => {
      window.driver.mount();
      window.driver.svc.on('WIDGET_CLICKED', () => window.driver.svc.destroy());
      window.button().click();
    },
  ],
  [
    'in the callback',
    () => {
      const onWidgetClickCallback = () => {
        window.driver.svc.destroy();
        return 'svc_tt_1';
      };
      window.driver.mount({ onWidgetClickCallback });
      window.button().click();
    },
  ],
  [
    'while the callback fetches a token',
    () => {
      window.driver.mount({ onWidgetClickCallback: window.pause });
      window.button().click();
    },
  ],
  [
    'while the callback is about to fail',
    () => {
      const onWidgetClickCallback = () =>
        window.pause().then(() => Promise.reject(new Error('late')));
      window.driver.mount({ onWidgetClickCallback });
      window.button().click();
    },
  ],
  [
    'in EXPERIENCE_OPENED',
    () => {
      window.driver.mount();
      window.driver.svc.on('EXPERIENCE_OPENED', () => window.driver.svc.destroy());
      window.driver.open();
    },
  ],
  [
    'while the frame loads, opened twice',
    () => {
      window.driver.mount();
      window.driver.open();
      window.driver.open('svc_tt_2');
    },
  ],
  [
    'while the frame is shown',
    async () => {
      window.driver.mount();
      window.driver.open();
      await window.until(() => window.frame()?.inert === false);
    },
  ],
  [
    'in EXPERIENCE_CLOSED',
    () => {
      window.driver.mount();
      window.driver.svc.on('EXPERIENCE_CLOSED', () => window.driver.svc.destroy());
      window.driver.open();
      window.driver.svc.update({ externalId: 't-200' });
    },
  ],
];
const renewing: (typeof moments)[0] = [
  'while fetchToken fetches a token',
  async () => {
    window.driver.mount({ identityCheck: 'open', fetchToken: window.pause });
    window.driver.open();
    await window.until(() => window.pending.length > 0);
  },
];

test('destroy at any moment removes everything, emits nothing more and throws nothing', async () => {
  const opened = await stage.open({ before: pauseRequests });
  for (const [moment, act] of [...moments, renewing]) {
    stage.service.frame = moment === renewing[0] ? 'refusing' : 'lively';
    await opened.page.evaluate(act);
    const left = await opened.page.evaluate(async () => {
      const { svc, events, results } = window.driver;
      svc.destroy();
      svc.destroy();
      const emitted = events.length;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      while (window.pending.length > 0) {
        window.pending.pop()?.();
        await new Promise((resolve) => setTimeout(resolve));
      }
      const count = (wanted: string) => events.filter(([type]) => type === wanted).length;
      const left = {
        elements: document.querySelectorAll('#slot *, html > div').length,
        sheets: document.adoptedStyleSheets.length,
        listening: window.listening.size,
        emittedAfter: events.slice(emitted),
        stillOpen: count('EXPERIENCE_OPENED') - count('EXPERIENCE_CLOSED'),
        otherwise: results.filter((it) => !/destroyed|dismissed/.test(JSON.stringify(it))),
      };
      events.length = results.length = 0;
      return left;
    });
    const nothing = {
      elements: 0,
      sheets: 0,
      listening: 0,
      emittedAfter: [],
      stillOpen: 0,
      otherwise: [],
    };
    expect([moment, left]).toEqual([moment, nothing]);
  }
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a destroyed instance opens nothing and makes no widget', async () => {
  const opened = await stage.open();
  const outcome = await opened.page.evaluate(async () => {
    window.driver.mount();
    const { svc } = window.driver;
    svc.destroy();
    const result = await svc.openExperienceAndSetToken('svc_tt_1');
    try {
      svc.createWidget();
    } catch (error) {
      return [result, (error as { error_code: string }).error_code];
    }
  });
  expect(outcome).toEqual([{ reason: 'destroyed', last_step: null }, 'destroyed']);
  await opened.close();
});

test('1,000 removed widgets leave no node, no listener and less than a megabyte', async () => {
  const opened = await stage.open();
  const session = await opened.page.context().newCDPSession(opened.page);
  await session.send('HeapProfiler.enable');
  const used = async () => {
    // The second pass collects what was kept alive only by observers that the first one collected.
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { nodes, jsEventListeners, usedSize };
  };
  const cycle = (count: number) =>
    opened.page.evaluate((times) => {
      for (let index = 0; index < times; index += 1) {
        window.driver.mount({ identityCheck: 'open' });
        if (index % 50 === 0) window.driver.open();
        window.driver.svc.destroy();
      }
      window.driver.events.length = 0;
    }, count);
  await cycle(60);
  const before = await used();
  await cycle(1000);
  const after = await used();
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(50);
  expect(after.jsEventListeners - before.jsEventListeners).toBeLessThanOrEqual(10);
  expect(after.usedSize - before.usedSize).toBeLessThan(1_000_000);
  await opened.close();
});

test('random moments of mounting, opening, updating and destroying never reject', async () => {
  const opened = await stage.open();
  await opened.page.evaluate(async () => {
    // A fixed sequence, so that a failure can be repeated.
    let seed = 20_260_101;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const acts: (() => unknown)[] = [
      () => window.driver.mount({ identityCheck: random(2) ? 'open' : 'mount' }),
      () => window.driver.open(`svc_tt_${random(3)}`),
      () => window.driver.open(null),
      () => window.driver.svc.destroy(),
      () => window.driver.svc.update({ balance: random(9) }),
      () => window.driver.svc.update({ externalId: `t-${random(3)}` }),
      () => document.querySelector('#slot > div')?.shadowRoot?.querySelector('button')?.click(),
      () => new Promise((resolve) => setTimeout(resolve, random(4))),
    ];
    window.driver.mount();
    for (let step = 0; step < 300; step += 1) await acts[random(acts.length)]?.();
    document.getElementById('slot')?.replaceChildren();
    window.driver.svc.destroy();
  });
  await opened.page.waitForLoadState('networkidle');
  expect(opened.faults).toEqual([]);
  await opened.close();
});
