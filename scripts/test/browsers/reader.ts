import { vi } from 'vitest';
import { axeSource } from '../axe.ts';
import type { Tab } from './tab.ts';

/** The elements that may have a role. axe takes too long for all elements of a page. */
const candidates = {
  button: 'button',
  link: 'a',
  textbox: 'input, textarea',
  radio: 'input',
  checkbox: 'input',
  combobox: 'select',
  disclosure: 'summary',
  heading: 'h1, h2, h3',
};
type Role = keyof typeof candidates;

/** Long enough for a busy machine that runs several browsers. */
const waitOptions = { timeout: 30_000, interval: 100 };

interface Found {
  readonly x: number;
  readonly y: number;
  readonly isReachable: boolean;
  /** True if it did not move for 50 ms. */
  readonly isStill: boolean;
  readonly href: string | null;
  readonly isChecked: boolean;
  readonly isFocused: boolean;
  readonly value: string | null;
}

/** Finds elements by role and accessible name, also in shadow roots, with the code that axe has for both. */
const finder = `async (role, selector, source, flags, focuses) => {
  const name = new RegExp(source, flags);
  axe.teardown();
  axe.setup(document);
  try {
    const { aria, dom, text } = axe.commons;
    // ARIA has no role for the summary of details, so axe does not name it.
    const nameOf = (it) => role === 'disclosure'
      ? text.sanitize(text.visibleVirtual(it)) : text.accessibleTextVirtual(it);
    const node = axe.utils.querySelectorAll(axe._tree, selector).find((it) =>
      (role === 'disclosure' || aria.getRole(it) === role) && dom.isVisibleToScreenReaders(it) &&
      name.test(nameOf(it)));
    if (!node) return null;
    const element = node.actualNode;
    if (focuses) element.focus();
    // Radio buttons and checkboxes are drawn by their labels.
    const shown = ['radio', 'checkbox'].includes(role) ? element.closest('label') ?? element : element;
    const box = shown.getBoundingClientRect();
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const hit = element.getRootNode().elementFromPoint(point.x, point.y);
    const isReachable = hit !== null && (shown.contains(hit) || hit.contains(shown));
    if (!isReachable) shown.scrollIntoView({ block: 'center', behavior: 'instant' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const later = shown.getBoundingClientRect();
    return {
      ...point,
      isReachable,
      isStill: later.x === box.x && later.y === box.y,
      href: element.href ?? null,
      isChecked: element.checked === true,
      value: element.selectedOptions?.[0]?.text ?? element.value ?? null,
      isFocused: element.getRootNode().activeElement === element,
    };
  } finally { axe.teardown(); }
}`;

/** Returns whether a page's frame is inert. The SDK's dialog makes its own inert until its first screen is painted. */
const frameIsInert = `((part) => {
  const all = (root) => [...root.querySelectorAll('*')].flatMap((it) =>
    it.shadowRoot ? [it, ...all(it.shadowRoot)] : [it]);
  return all(document).some((it) => it.localName === 'iframe' && it.src.includes(part) && it.inert);
})`;

/** An expression, because the page's policy forbids `eval`. */
const axeExpression = axeSource.trim().replace(/;$/, '');

/** Reads and uses a page, or one of its frames, by the roles and names of its elements, as a person does. */
export class Reader {
  readonly tab: Tab;
  readonly frame: string | undefined;

  /** @param frame a part of the frame's address */
  constructor(tab: Tab, frame?: string) {
    this.tab = tab;
    this.frame = frame;
  }

  async press(name: string | RegExp, role: Role = 'button'): Promise<void> {
    const { x, y } = await this.waitFor(role, name);
    await this.tab.click(x, y, this.frame);
  }

  /** Types into a field. The page may group what it gets, but must not lose any of it. */
  async fill(label: string | RegExp, text: string): Promise<void> {
    const withoutSpaces = (it: string) => it.replaceAll(/\s/g, '');
    await this.press(label, 'textbox');
    await this.#waitUntil('textbox', label, ({ isFocused }) => isFocused);
    await this.tab.type(text, this.frame);
    await this.#waitUntil(
      'textbox',
      label,
      ({ value }) => withoutSpaces(value ?? '') === withoutSpaces(text),
    );
  }

  /** Chooses a radio button or checks a checkbox. */
  async choose(name: string | RegExp, role: 'radio' | 'checkbox'): Promise<void> {
    await this.press(name, role);
    await this.#waitUntil(role, name, ({ isChecked }) => isChecked);
  }

  /** Chooses an option by typing, because no protocol reaches the menus of all browsers. */
  async select(label: string, option: string): Promise<void> {
    await this.#waitUntil('combobox', label, ({ isFocused }) => isFocused, true);
    // The first letter chooses the next option that starts with it. A browser may respond before the key takes effect.
    for (let turn = 0; turn < 60; turn += 1) {
      const { value: before } = await this.#waitUntil('combobox', label, (it) => it.isFocused);
      if (before === option) return;
      await this.tab.type(option.slice(0, 1), this.frame);
      await this.#waitUntil('combobox', label, ({ value }) => value !== before);
    }
    throw new Error(`${label} does not offer ${option}.`);
  }

  async waitForText(text: string): Promise<void> {
    await vi.waitFor(async () => {
      const shown = await this.text();
      if (!shown.includes(text)) throw new Error(`"${text}" is not in: ${shown}`);
    }, waitOptions);
  }

  /** The visible text, with that of shadow roots. Empty while another page is loading. */
  async text(): Promise<string> {
    const read = `((read) => read(document))((function read(root) {
      return [(root.body ?? root).innerText ?? root.textContent,
        ...[...root.querySelectorAll('*')].flatMap((it) => it.shadowRoot ? [read(it.shadowRoot)] : []),
      ].join('\\n');
    }))`;
    return this.tab.evaluate<string>(read, this.frame).catch(() => '');
  }

  /** Waits until the element can be pressed and no longer moves. */
  async waitFor(role: Role, name: string | RegExp): Promise<Found> {
    return this.#waitUntil(role, name, ({ isReachable, isStill }) => isReachable && isStill);
  }

  async #waitUntil(
    role: Role,
    name: string | RegExp,
    accepts: (found: Found) => boolean,
    focuses = false,
  ): Promise<Found> {
    const wait = vi.waitFor(async () => {
      const found = await this.#look(role, name, focuses);
      if (found !== null && accepts(found)) return found;
      throw new Error(`The ${role} ${name} is ${JSON.stringify(found)}`);
    }, waitOptions);
    return wait.catch(async (error: Error) => {
      throw new Error(`${error.message}, on a page with: ${await this.text()}`);
    });
  }

  async #look(role: Role, name: string | RegExp, focuses: boolean): Promise<Found | null> {
    if (!(await this.tab.evaluate<boolean>(`'axe' in window`, this.frame))) {
      await this.tab.evaluate(`void (${axeExpression})`, this.frame);
    }
    const pattern = typeof name === 'string' ? patternOf(name) : name;
    const call = `(${finder})(${[role, candidates[role], pattern.source, pattern.flags, focuses].map((it) => JSON.stringify(it))})`;
    const found = await this.tab.evaluate<Found | null>(call, this.frame);
    if (found === null || this.frame === undefined) return found;
    const isInert = await this.tab.evaluate<boolean>(
      `${frameIsInert}(${JSON.stringify(this.frame)})`,
    );
    return { ...found, isReachable: found.isReachable && !isInert };
  }
}

/** Stands for any text in a name, such as the amount in `words.pay.action(anything)`. */
export const anything = '\uFFFC';

function patternOf(name: string): RegExp {
  return new RegExp(`^${name.split(anything).map(literal).join('.+')}$`);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
