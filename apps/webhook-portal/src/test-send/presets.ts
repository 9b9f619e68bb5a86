/** What someone saved to send again: kept in this browser, for this partner and environment. */
export interface Preset {
  name: string;
  event_type: string;
  text: string;
}

const most = 50;

export function readPresets(owner: string): Preset[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPreset) : [];
  } catch {
    // Storage is switched off, or holds something else: as if nothing was saved.
    return [];
  }
}

/** The newest first; one of the same name is replaced. False where the browser keeps nothing. */
export function savePreset(owner: string, preset: Preset): boolean {
  const others = readPresets(owner).filter(({ name }) => name !== preset.name);
  return write(owner, [preset, ...others].slice(0, most));
}

export function removePreset(owner: string, name: string): boolean {
  return write(
    owner,
    readPresets(owner).filter((preset) => preset.name !== name),
  );
}

function write(owner: string, presets: Preset[]): boolean {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(presets));
    return true;
  } catch (error) {
    console.info('The browser keeps nothing.', error);
    return false;
  }
}

function keyOf(owner: string): string {
  return `portal:presets:${owner}`;
}

function isPreset(value: unknown): value is Preset {
  if (typeof value !== 'object' || value === null) return false;
  const { name, event_type, text } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof event_type === 'string' && typeof text === 'string';
}
