/**
 * The property of `history.state` that lists the guards of an entry, the newest last. The rest of the
 * state is the page's own: routers find their entry unchanged, with one property more.
 */
const property = 'svcGuards';

/**
 * The properties of `history.state` by which Turbo, Turbolinks, htmx and Livewire know their entries. They
 * load the page again at each popstate to one of them, and there is no way to keep a popstate from them.
 */
const pageLoaders = ['turbo', 'turbolinks', 'htmx', 'alpine'];

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
  /** The tenant pressed back. Returns true if the dialog stays open. */
  onBack(): boolean;
  /** The page has left for another entry. */
  onGone(): void;
}

/** History belongs to the page, not to an instance: these are all open dialogs, the topmost last. */
const guards: Guard[] = [];

/** The guards' own step through the history that has not arrived yet. There is one at a time. */
let step: { hasArrived(): boolean; end(): void; ended: Promise<void> } | undefined;

/** A browser that has not moved after this many milliseconds does not move any more. */
const stepTimeout = 1000;

/**
 * Adds one history entry with the page's own URL and state. Back leads from it to the page's entry:
 * then `onBack` decides, and if the dialog stays open the guard steps forward onto its entry again.
 * That adds no entry, and works without another click, which browsers ask of an entry that is added.
 * The page's router gets a popstate for each step, with the URL and the state that it is showing.
 *
 * Does nothing if the tenant has never clicked (browsers skip such entries), if the state is not a
 * plain object or belongs to a page loader, or if the page may not change its history.
 */
export function guardBack({ onBack, onGone }: Pick<Guard, 'onBack' | 'onGone'>): BackGuard {
  const place = { entry: '', below: '', url: location.href };
  const guard: Guard = { id: '', ids: [], ...place, onBack, onGone };
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
  const { state } = history;
  const isPlain = state === null || Object.getPrototypeOf(state) === Object.prototype;
  if (!isPlain || navigator.userActivation?.hasBeenActive === false) return;
  if (pageLoaders.some((name) => state?.[name])) return;
  const ids = currentIds();
  const isLeftover = ids.length > 0 && !guards.some(({ id }) => ids.includes(id));
  guard.id = `${Date.now()}-${Math.random()}`;
  guard.ids = isLeftover ? [guard.id] : [...ids, guard.id];
  guard.below = entryKey();
  guard.url = location.href;
  try {
    // After a reload, or after forward, the page is on an entry of a guard that is gone. Take it over.
    const guardState = { ...state, [property]: guard.ids };
    if (isLeftover) history.replaceState(guardState, '');
    else history.pushState(guardState, '');
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
  return go(-1, () => !isOnEntryOf(guard));
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
function go(delta: 1 | -1, hasArrived: () => boolean): Promise<void> {
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
    step.end();
    return;
  }
  const ids = currentIds();
  const left = guards.filter(({ id }) => !ids.includes(id));
  const top = left.at(-1);
  if (!top) return;
  if (left.length === 1 && isBelow(top)) {
    if (top.onBack()) void go(1, () => currentIds().includes(top.id));
  } else {
    for (const guard of left.reverse()) guard.onGone();
  }
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
  const { navigation } = window as { navigation?: { currentEntry?: { key: string } | null } };
  return navigation?.currentEntry;
}

/** Adding it twice changes nothing. */
function listen(): void {
  addEventListener('popstate', handlePopState);
}

function stopListening(): void {
  if (guards.length === 0 && !step) removeEventListener('popstate', handlePopState);
}
