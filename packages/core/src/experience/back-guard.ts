/**
 * The property of `history.state` that lists the guards of an entry, the newest last. The rest of the
 * state is the page's own: routers find their entry unchanged, with one property more.
 */
const property = 'svcGuards';

/**
 * The properties of `history.state` by which Turbo, Turbolinks, htmx and Livewire know their entries. They
 * load the page again at each popstate to one of them. A popstate cannot be kept from them: Chromium calls
 * the listeners of a window in the order in which they were added, also those that capture.
 */
const pageLoaders = ['turbo', 'turbolinks', 'htmx', 'alpine'];

/** The property of `history.state` that keeps the state of a page loader, where the loader does not look. */
const hiddenProperty = 'svcPageState';

/** Keeps the browser's back button in an open dialog. */
export interface BackGuard {
  /**
   * Removes the history entry, if the page is still on it. Undefined if there is nothing to remove.
   * Until the promise resolves, the page must not navigate: the browser is on its way back.
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
  /** Below is an entry of a page loader, whose state is hidden while the dialog is open. */
  hidesState: boolean;
  /** The tenant pressed back. Returns true if the dialog stays open. */
  onBack(): boolean;
  /** The page has left for another entry. */
  onGone(): void;
}

/** The parts of the Navigation API that are used here. */
interface BrowserNavigation {
  currentEntry?: { key: string } | null;
  transition?: { finished: Promise<void> } | null;
}

/** History belongs to the page, not to an instance: these are all open dialogs, the topmost last. */
const guards: Guard[] = [];

/** The guards' own step through the history that has not arrived yet. There is one at a time. */
let step: { hasArrived(): boolean; end(): void; ended: Promise<void> } | undefined;

/** A browser that has not moved after this many milliseconds will not move. */
const stepTimeout = 1000;

/**
 * Adds one history entry with the page's own URL and state. Back leads from it to the page's entry:
 * then `onBack` decides, and if the dialog stays open the guard steps forward onto its entry again.
 * That adds no entry, and works without another click, which browsers ask of an entry that is added.
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
    // Another dialog's entry is on its way out, and after it perhaps a third one's.
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
    // A sandboxed page, or too many entries in a short time.
    return;
  }
  guard.entry = entryKey();
  guards.push(guard);
  listen();
}

function removeEntry(guard: Guard): Promise<void> | undefined {
  // Only from the guard's own entry. The page may have copied its state to another one.
  if (!isOnEntryOf(guard)) return undefined;
  if (location.href !== guard.url) {
    keepEntry();
    return undefined;
  }
  return moveInHistory(-1, () => !isOnEntryOf(guard));
}

/** The page has replaced the URL of the guard's entry, which makes it the page's own. */
function keepEntry(): void {
  const { [property]: ids, ...state } = history.state ?? {};
  // Without guards, the page has replaced the state too.
  if (ids) history.replaceState(state, '');
}

/** Without keys, another entry with the same URL is told apart by its state. */
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
 * Turbo caches the page when it arrives at an entry without its state, and sends an event first, on which
 * pages remove their widgets. This page stays.
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

/** htmx 4 reads the state of the entry in a later task, which is a part of the browser's transition. */
function afterLoaders(act: () => void): void {
  const transition = history.state?.[hiddenProperty] && navigationOf()?.transition;
  const reveal = () => {
    revealState();
    act();
  };
  if (transition) transition.finished.then(reveal, reveal);
  else reveal();
}

/** Gives the page's entry its state back. Turbo has done that itself, with a new state. */
function revealState(): void {
  const state = history.state?.[hiddenProperty];
  if (state) history.replaceState(state, '');
}

/** A guard that took an entry over does not know the key of the one below, but it has the same URL. */
function isBelow({ entry, below, url }: Guard): boolean {
  return entryKey() === below || (entry === below && location.href === url);
}

/** The guards of the current entry. The page may have replaced the state that lists them. */
function currentIds(): string[] {
  const known = hasKeys() && guards.find(({ entry }) => entry === entryKey());
  if (known) return known.ids;
  const ids = history.state?.[property];
  return Array.isArray(ids) ? ids : [];
}

/** Names the current entry: by its key where the browser has one, else by its URL. */
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

/** Adding it twice changes nothing. */
function listen(): void {
  addEventListener('popstate', handlePopState);
  addEventListener('turbo:before-cache', handleBeforeCache, true);
}

function stopListening(): void {
  if (guards.length > 0 || step) return;
  removeEventListener('popstate', handlePopState);
  removeEventListener('turbo:before-cache', handleBeforeCache, true);
}
