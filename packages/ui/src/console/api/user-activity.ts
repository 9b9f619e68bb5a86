const activeMs = 60_000;
const inputs = ['pointerdown', 'pointermove', 'wheel', 'touchstart', 'keydown'] as const;

// Opening the page counts as use.
let lastInputAt = Date.now();

/** Starts to watch for input. Call it once, before the first request. */
export function watchUserActivity(target: EventTarget): void {
  for (const type of inputs)
    target.addEventListener(type, recordInput, { passive: true, capture: true });
}

/** Returns whether someone has used the page within the last minute. */
export function isUserActive(): boolean {
  return Date.now() - lastInputAt < activeMs;
}

function recordInput(): void {
  lastInputAt = Date.now();
}
