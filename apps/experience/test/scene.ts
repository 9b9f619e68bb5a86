import type { Fault } from './fixture/service.ts';
import type { Opened, OpenOptions } from './fixture/stage.ts';

/** One screen in one state: how to open it, and how to get there. */
export interface Scene {
  name: string;
  open: OpenOptions;
  /** Set before the scene opens, cleared after it has played. */
  faults?: Record<string, readonly Fault[]>;
  play: (opened: Opened) => Promise<void>;
}
