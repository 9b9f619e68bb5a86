/**
 * The property of `history.state` that lists the guards of an entry, the newest last. The rest of the
 * state is the page's own: routers find it unchanged, with one more property.
 */
const property = 'svcGuards';

/**
 * The properties of `history.state` by which Turbo, Turbolinks, htmx and Livewire recognize their entries. They
 * load the page again at each popstate to one of them. A popstate cannot be hidden from them: Chromium calls
 * a window's listeners in the order in which they were added, even capturing ones.
 */
const pageLoaders = ['turbo', 'turbolinks', 'htmx', 'alpine'];

/** The property of `history.state` that holds a page loader's state while it is hidden from the loader. */
const hiddenProperty = 'svcPageState';

/** Keeps the browser's back button in an open dialog. */
export interface BackGuard {
  /**
   * Removes the history entry, if the page is still on it. Undefined if there is nothing to remove.
   * Until the promise resolves, the page must not navigate, because the browser is still going back.
   */
  leave(): Promise<void> | undefined;
  /** Calls `leave` in a later task, so that a navigation in this one comes first and wins. */
  leaveLater(): void;
}

interface Guard {
  id: string;
  /** All guards of the entry that the guard added. This one is the newest. */
  ids: string[];
  /** The entries' keys: the one that the guard added, and the page's own below it. */
  entry: string;
  below: string;
  url: string;
  /** True if the entry below belongs to a page loader. Its state is hidden while the dialog is open. */
  hidesState: boolean;
  /** Called when the tenant has pressed back. Returns true if the dialog stays open. */
  onBack(): boolean;
  /** Called when the page has moved to another entry. */
  onGone(): void;
}

/** The parts of the Navigation API that are used here. */
interface BrowserNavigation {
  currentEntry?: { key: string } | null;
  transition?: { finished: Promise<void> } | null;
}

/** History belongs to the page, not to an instance: these are all open dialogs, the topmost last. */
const guards: Guard[] = [];

/** The guards' own step through the history, until the browser has arrived. There is one at a time. */
let step: { hasArrived(): boolean; end(): void; ended: Promise<void> } | undefined;

/** A browser that has not moved after this many milliseconds will not move. */
const stepTimeout = 1000;

/**
 * Adds one history entry with the page's own URL and state. Back leads from it to the page's entry:
 * then `onBack` decides, and if the dialog stays open the guard steps forward onto its entry again.
 * That adds no entry, so it needs no further click, which browsers require before they accept an added entry.
 * The page's router gets a popstate for each step, with the URL and the state that it is showing.
 *
 * A page loader would load the page at such a step. The page's entry therefore has another state while
 * the dialog is open. The added entry keeps the loader's state: if the loader goes to another page now,
 * back from there leads to an entry that it knows. The guard cannot step forward onto that entry, so
 * it adds a new one.
 *
 * Does nothing if the tenant has never clicked (browsers skip such entries), if the state is not a
 * plain object, or if the page may not change its history.
 */
export function guardBack({ onBack, onGone }: Pick<Guard, 'onBack' | 'onGone'>): BackGuard {
  const place = { entry: '', below: '', url: location.href };
  const guard: Guard = { id: '', ids: [], ...place, hidesState: false, onBack, onGone };
  let isLeft = false;
  const add = (): void => {
    if (isLeft) return;
    // Another dialog's entry is being removed, and perhaps a third one's after it.
    if (step) void step.ended.then(add);
    else addEntry(guard);
  };
  add();

  const remove = (): Promise<void> | undefined =>
    step ? step.ended.then(remove) : removeEntry(guard);
  const leave = () => {
    isLeft = true;
    const index = guards.indexOf(guard);
    if (index >= 0) guards.splice(index, 1);
    stopListening();
    return remove();
  };
  return {
    leave,
    leaveLater() {
      isLeft = true;
      setTimeout(leave);
    },
  };
}

function addEntry(guard: Guard): void {
  revealState();
  const { state } = history;
  const isPlain = state === null || Object.getPrototypeOf(state) === Object.prototype;
  if (!isPlain || navigator.userActivation?.hasBeenActive === false) return;
  guard.hidesState = pageLoaders.some((name) => state?.[name]);
  const ids = currentIds();
  const isLeftover = ids.length > 0 && !guards.some(({ id }) => ids.includes(id));
  guard.id = `${Date.now()}-${Math.random()}`;
  guard.ids = isLeftover ? [guard.id] : [...ids, guard.id];
  guard.below = entryKey();
  guard.url = location.href;
  try {
    const guardState = { ...state, [property]: guard.ids };
    if (guard.hidesState) {
      const { [property]: _, ...stateWithoutGuards } = state;
      const hidden = isLeftover ? stateWithoutGuards : state;
      history.replaceState({ [property]: ids, [hiddenProperty]: hidden }, '');
      history.pushState(guardState, '');
    } else if (isLeftover) {
      // After a reload, or after forward, the page is on an entry of a guard that is gone. Take it over.
      history.replaceState(guardState, '');
    } else {
      history.pushState(guardState, '');
    }
  } catch {
    // The page is sandboxed, or it has added too many entries in a short time.
    return;
  }
  guard.entry = entryKey();
  guards.push(guard);
  listen();
}

function removeEntry(guard: Guard): Promise<void> | undefined {
  // Step back only from the guard's own entry. The page may have copied its state to another one.
  if (!isOnEntryOf(guard)) return undefined;
  if (location.href !== guard.url) {
    keepEntry();
    return undefined;
  }
  return moveInHistory(-1, () => !isOnEntryOf(guard));
}

/** Keeps the guard's entry, whose URL the page has replaced: the entry is now the page's own. */
function keepEntry(): void {
  const { [property]: ids, ...state } = history.state ?? {};
  // If the state lists no guards, the page has replaced the state too.
  if (ids) history.replaceState(state, '');
}

/** Returns whether the page is on the guard's entry. Without keys, the state tells entries with the same URL apart. */
function isOnEntryOf({ id, entry }: Guard): boolean {
  return entryKey() === entry && (hasKeys() || currentIds().at(-1) === id);
}

/** Steps through the history. Resolves when the browser has arrived. */
function moveInHistory(delta: 1 | -1, hasArrived: () => boolean): Promise<void> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(() => end(), stepTimeout);
    end = () => {
      clearTimeout(timer);
      step = undefined;
      stopListening();
      resolve();
    };
  });
  step = { hasArrived, end, ended };
  listen();
  history.go(delta);
  return ended;
}

function handlePopState(): void {
  if (step?.hasArrived()) {
    afterLoaders(step.end);
    return;
  }
  const ids = currentIds();
  const left = guards.filter(({ id }) => !ids.includes(id));
  const top = left.at(-1);
  if (!top) return;
  if (left.length === 1 && isBelow(top)) {
    afterLoaders(() => handleBack(top));
  } else {
    for (const guard of left.reverse()) guard.onGone();
  }
}

/**
 * Hides Turbo's event from the page. Turbo caches the page when it arrives at an entry without Turbo's state. It
 * sends the event first, and pages remove their widgets when they get it. This page stays.
 */
function handleBeforeCache(event: Event): void {
  const top = guards.at(-1);
  const isBack = top && !currentIds().includes(top.id) && isBelow(top);
  if (step?.hasArrived() || isBack) event.stopImmediatePropagation();
}

function handleBack(guard: Guard): void {
  // The dialog may have been closed while htmx looked at the entry.
  if (!guards.includes(guard) || !guard.onBack()) return;
  if (guard.hidesState) {
    guards.splice(guards.indexOf(guard), 1);
    addEntry(guard);
  } else {
    void moveInHistory(1, () => currentIds().includes(guard.id));
  }
}

/** Calls `act` once page loaders have read the entry's state. htmx 4 does so in a later task of the transition. */
function afterLoaders(act: () => void): void {
  const transition = history.state?.[hiddenProperty] && navigationOf()?.transition;
  const reveal = () => {
    revealState();
    act();
  };
  if (transition) transition.finished.then(reveal, reveal);
  else reveal();
}

/** Gives the page's entry its state back. Turbo has already done that itself, with a new state. */
function revealState(): void {
  const state = history.state?.[hiddenProperty];
  if (state) history.replaceState(state, '');
}

/** Returns whether the page is on the entry below. A guard that took an entry over knows only that one's URL. */
function isBelow({ entry, below, url }: Guard): boolean {
  return entryKey() === below || (entry === below && location.href === url);
}

/** Returns the guards of the current entry. The page may have replaced the state that lists them. */
function currentIds(): string[] {
  const known = hasKeys() && guards.find(({ entry }) => entry === entryKey());
  if (known) return known.ids;
  const ids = history.state?.[property];
  return Array.isArray(ids) ? ids : [];
}

/** Returns the current entry's key, or its URL in a browser whose entries have no keys. */
function entryKey(): string {
  return currentEntry()?.key ?? location.href;
}

function hasKeys(): boolean {
  return !!currentEntry();
}

function currentEntry(): { key: string } | null | undefined {
  return navigationOf()?.currentEntry;
}

function navigationOf(): BrowserNavigation | undefined {
  return (window as { navigation?: BrowserNavigation }).navigation;
}

/** Adds the listeners. A second call has no effect. */
function listen(): void {
  addEventListener('popstate', handlePopState);
  addEventListener('turbo:before-cache', handleBeforeCache, true);
}

function stopListening(): void {
  if (guards.length > 0 || step) return;
  removeEventListener('popstate', handlePopState);
  removeEventListener('turbo:before-cache', handleBeforeCache, true);
}
