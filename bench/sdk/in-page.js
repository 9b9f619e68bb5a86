// Runs in the partner's page, with the driver of packages/core/test/fixture.

const quiet = { identityCheck: 'open' };
const button = () => document.querySelector('#slot > div').shadowRoot.querySelector('button');
const shown = () => [...document.querySelectorAll('body > div')].at(-1)?.shadowRoot;

/** Resolves after the next frame is painted. */
const painted = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    }),
  );

/** Resolves at the beginning of a frame, so that every round starts at the same point. */
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

window.measure = {
  /** Returns the milliseconds for `count` widgets with `createWidget()`, and for equal nodes created by hand. */
  create(count) {
    const instances = Array.from({ length: count }, () =>
      sdk.Svc({ ...driver.settings, ...quiet }),
    );
    const began = performance.now();
    for (const instance of instances) instance.createWidget();
    const between = performance.now();
    for (let index = 0; index < count; index += 1) byHand();
    const ended = performance.now();
    for (const instance of instances) instance.destroy();
    return { ours: between - began, hand: ended - between };
  },

  async click() {
    driver.mount({ ...quiet, onWidgetClickCallback: () => new Promise(() => {}) });
    await painted();
    await frame();
    const began = performance.now();
    button().click();
    const time = (await painted()) - began;
    driver.svc.destroy();
    return time;
  },

  async open() {
    driver.mount(quiet);
    await painted();
    await frame();
    const began = performance.now();
    driver.open();
    const time = (await painted()) - began;
    driver.svc.destroy();
    return time;
  },

  /** Returns the milliseconds from the click until the tenant can use the frame. The backend takes `token` ms. */
  async interactive(token) {
    driver.mount({
      ...quiet,
      onWidgetClickCallback: async () => {
        await new Promise((resolve) => setTimeout(resolve, token));
        driver.open();
      },
    });
    await painted();
    const began = performance.now();
    button().click();
    await new Promise((resolve) => {
      const poll = () =>
        shown()?.querySelector('dialog[open] iframe:not([inert])')
          ? resolve()
          : requestAnimationFrame(poll);
      poll();
    });
    const time = performance.now() - began;
    driver.svc.destroy();
    return time;
  },

  cycle(count) {
    for (let index = 0; index < count; index += 1) {
      driver.mount(quiet);
      driver.svc.destroy();
    }
    driver.events.length = 0;
  },
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(':host{display:block}');
const money = () => (1520.12).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

/** Creates the widget's nodes and texts as a page without the SDK would. */
function byHand() {
  const host = make('div');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  const card = make('div', { className: 'card', part: 'card' });
  const label = make('p');
  label.append(
    make('span', { textContent: 'Balance' }),
    ' ',
    make('span', { textContent: 'Sandbox' }),
  );
  const top = make('div');
  const amount = make('p', { part: 'amount', textContent: money() });
  const line = make('p', { role: 'status', textContent: 'Split it into smaller payments' });
  const payments = make('div');
  payments.append(make('span'), make('span'), make('span'), make('span'));
  top.append(label, amount, line, payments);
  const act = make('div', { className: 'act' });
  const button = make('button', {
    part: 'button',
    onclick() {},
    onfocus() {},
    onpointerenter() {},
    ariaBusy: 'false',
  });
  button.append(make('span', { textContent: 'See my options' }));
  act.append(button, make('p', { textContent: 'Fees and terms apply. Subject to approval.' }));
  card.append(top, act);
  const inner = make('div', { className: 'root', lang: 'en-US' });
  inner.append(card);
  root.append(inner);
  new ResizeObserver(() => {}).observe(host);
  return host;
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
