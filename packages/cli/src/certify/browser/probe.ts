/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The widget as the tenant sees it. */
export interface SeenWidget extends Box {
  /** The part that no ancestor clips and that is inside of the page's width. */
  readonly visibleWidth: number;
  readonly visibleHeight: number;
  readonly lang: string;
  readonly label: string;
  readonly isDisabled: boolean;
  /** A selector of the element that the page put the widget in. */
  readonly container: string;
}

export interface SeenDialog {
  readonly isOpen: boolean;
  readonly phase: string;
  readonly count: number;
  readonly frame: Box | null;
}

export interface SeenPage {
  readonly lang: string;
  readonly title: string;
  readonly text: string;
  /** How many pixels the page is wider than the window. */
  readonly overflow: number;
  /** When the first text or image was drawn, in ms after the navigation; null if nothing was. */
  readonly firstPaint: number | null;
  readonly hasScript: boolean;
  /** The address of the first frame that does not come from the service; null without one. */
  readonly frame: string | null;
}

export interface Violation {
  readonly directive: string;
  readonly blocked: string;
  /** The directive's sources as the policy has them. */
  readonly policy: string;
}

/** A screen of the experience. */
export interface SeenScreen {
  readonly title: string;
  readonly lang: string;
  readonly isBusy: boolean;
  /** Selectors of visible fields that are empty and have to be filled in, and of boxes to check. */
  readonly emptyFields: readonly string[];
  readonly uncheckedBoxes: readonly string[];
  readonly unchosenGroups: readonly string[];
  readonly hasBankList: boolean;
  readonly hasSubmit: boolean;
  readonly errors: readonly string[];
}

export interface SeenFocus {
  readonly place: 'body' | 'widget' | 'frame' | 'dialog' | 'other';
  /** A selector or a text that names the element. */
  readonly name: string;
}

/** Runs in the pages and only reads. Clicks and keys are sent to the browser, like those of a tenant. */
export interface Probe {
  widget(): SeenWidget | null;
  dialog(): SeenDialog;
  page(scriptOrigin: string): SeenPage;
  containerText(container: string): string | null;
  violations(): readonly Violation[];
  screen(): SeenScreen | null;
  focus(): SeenFocus;
  /** Scrolls a visible element into view and returns its box in this frame's window; null without one. */
  locate(selector: string): Box | null;
  /** Returns whether the focused element matches. */
  hasFocus(selector: string): boolean;
}

/** Finds all matches, also inside of open shadow roots. */
function findAll(selector: string, root: ParentNode = document): HTMLElement[] {
  const found = [...root.querySelectorAll<HTMLElement>(selector)];
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot) found.push(...findAll(selector, element.shadowRoot));
  }
  return found;
}

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

function textOf(element: Element | null): string {
  return (element?.textContent ?? '').trim().slice(0, 300);
}

/** Returns the parent in the tree that is drawn, in which slots and shadow roots count. */
function parentOf(node: Element): Element | null {
  if (node.assignedSlot) return node.assignedSlot;
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function selectorOf(element: Element): string {
  const path: string[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (each.id !== '') {
      path.unshift(`#${CSS.escape(each.id)}`);
      break;
    }
    const at = [...(each.parentElement?.children ?? [])].indexOf(each);
    path.unshift(each.parentElement ? `${each.localName}:nth-child(${at + 1})` : each.localName);
  }
  return path.join(' > ');
}

function visibleSize(element: HTMLElement): { width: number; height: number } {
  let { left, right, top, bottom } = element.getBoundingClientRect();
  for (let each = parentOf(element); each && each !== document.body; each = parentOf(each)) {
    const { overflowX, overflowY } = getComputedStyle(each);
    const box = each.getBoundingClientRect();
    // `auto` and `scroll` hide a part that the tenant can reach only by a second scroll bar.
    if (overflowX !== 'visible') {
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
    }
    if (overflowY !== 'visible') {
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
  }
  left = Math.max(left, 0);
  right = Math.min(right, document.documentElement.clientWidth);
  return { width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function findWidget(): HTMLElement | undefined {
  const all = findAll('[data-svc-widget]').filter((it) => it.shadowRoot !== null);
  return all.find(isVisible) ?? all[0];
}

function lookAtWidget(): SeenWidget | null {
  const element = findWidget();
  const root = element?.shadowRoot;
  if (!element || !root) return null;
  const visible = visibleSize(element);
  const button = root.querySelector<HTMLButtonElement>('.svc-button');
  return {
    ...boxOf(element),
    visibleWidth: visible.width,
    visibleHeight: visible.height,
    lang: root.querySelector<HTMLElement>('.svc-widget')?.lang ?? '',
    label: textOf(button),
    isDisabled: button?.disabled ?? true,
    container: selectorOf(parentOf(element) ?? element),
  };
}

function findDialogs(): HTMLDialogElement[] {
  return findAll('dialog[data-phase]').filter(
    (it): it is HTMLDialogElement => it.getRootNode() !== document,
  );
}

function lookAtDialog(): SeenDialog {
  const all = findDialogs();
  const dialog = all.find((it) => it.open) ?? all[0];
  const frame = dialog?.querySelector('iframe');
  return {
    isOpen: dialog?.open ?? false,
    phase: dialog?.dataset.phase ?? '',
    count: all.filter((it) => it.open).length,
    frame: frame ? boxOf(frame) : null,
  };
}

function lookAtPage(scriptOrigin: string): SeenPage {
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  const { documentElement: root, body } = document;
  // A page may hide itself until a script has run. Its `innerText` would be all of its text.
  const isDrawn = body?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const frames = [...document.querySelectorAll('iframe')].map(({ src }) => src);
  return {
    lang: root.lang,
    title: document.title.slice(0, 300),
    text: isDrawn ? body.innerText.slice(0, 5_000) : '',
    overflow: root.scrollWidth - root.clientWidth,
    firstPaint: paint ? paint.startTime : null,
    hasScript: root.innerHTML.includes(`${scriptOrigin}/sdk/`),
    frame: frames.find((it) => /^https?:/.test(it) && !it.startsWith(scriptOrigin)) ?? null,
  };
}

function readContainer(container: string): string | null {
  const element = document.querySelector<HTMLElement>(container);
  return element === null ? null : element.innerText.trim().slice(0, 1_000);
}

function lookAtScreen(): SeenScreen | null {
  const title = document.querySelector('h1');
  if (!title) return null;
  const visibleInputs = (selector: string) =>
    [...document.querySelectorAll<HTMLInputElement>(selector)].filter(isVisible);
  const selectorByName = (field: HTMLInputElement) => `input[name="${CSS.escape(field.name)}"]`;
  const radios = visibleInputs('input[type=radio]');
  const chosen = new Set(radios.filter((it) => it.checked).map(selectorByName));
  return {
    title: textOf(title),
    lang: document.documentElement.lang,
    isBusy: document.querySelector('[aria-busy=true]') !== null,
    emptyFields: visibleInputs('input[required]:not([type=checkbox],[type=radio])')
      .filter((it) => it.value === '')
      .map(selectorByName),
    uncheckedBoxes: visibleInputs('input[type=checkbox][required]:not(:checked)').map(
      selectorByName,
    ),
    unchosenGroups: [...new Set(radios.map(selectorByName))].filter((name) => !chosen.has(name)),
    hasBankList: document.querySelector('.bank-picker .bank') !== null,
    hasSubmit: document.querySelector('.footer .svc-button') !== null,
    errors: [...document.querySelectorAll('.svc-field__error, [role=alert]')]
      .map(textOf)
      .filter(Boolean)
      .slice(0, 3),
  };
}

/** Returns the element with the focus, also inside of open shadow roots. */
function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

function lookAtFocus(): SeenFocus {
  const focused = focusedElement();
  const { documentElement: root, body } = document;
  if (focused === null || focused === body || focused === root) return { place: 'body', name: '' };
  const name = `${focused.localName} ${textOf(focused).slice(0, 60)}`.trim();
  if (findWidget()?.shadowRoot?.contains(focused)) return { place: 'widget', name };
  const dialog = findDialogs().find((it) => it.contains(focused));
  if (dialog) return { place: focused.localName === 'iframe' ? 'frame' : 'dialog', name };
  return { place: 'other', name };
}

function locate(selector: string): Box | null {
  const element = findAll(selector).find(isVisible);
  if (!element) return null;
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  return boxOf(element);
}

function installProbe(): void {
  const seenViolations: Violation[] = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.disposition !== 'enforce' || seenViolations.length >= 100) return;
    seenViolations.push({
      directive: event.effectiveDirective,
      blocked: event.blockedURI,
      policy: event.originalPolicy.slice(0, 4_000),
    });
  });
  const probe: Probe = {
    widget: lookAtWidget,
    dialog: lookAtDialog,
    page: lookAtPage,
    containerText: readContainer,
    violations: () => seenViolations,
    screen: lookAtScreen,
    focus: lookAtFocus,
    locate,
    hasFocus: (selector) => focusedElement()?.matches(selector) ?? false,
  };
  Object.assign(globalThis, { svcProbe: probe });
}

const probeFunctions = [
  findAll,
  isVisible,
  boxOf,
  textOf,
  parentOf,
  selectorOf,
  visibleSize,
  findWidget,
  lookAtWidget,
  findDialogs,
  lookAtDialog,
  lookAtPage,
  readContainer,
  lookAtScreen,
  focusedElement,
  lookAtFocus,
  locate,
];

/**
 * Installs the probe in the frame's isolated world, which shares the document with the page's scripts and
 * nothing else. The functions are sent as text, so they refer to nothing but each other.
 */
export const probeSource = `(() => {
${probeFunctions.join('\n')}
(${installProbe})();
})()`;
