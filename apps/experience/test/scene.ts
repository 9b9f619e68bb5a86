import type { Fault } from './fixture/service.ts';
import type { Opened, OpenOptions } from './fixture/stage.ts';

/** One screen in one state: how to open it, and what to press. */
export interface Scene {
  name: string;
  open: OpenOptions;
  /** Set before it opens, cleared after. */
  faults?: Record<string, readonly Fault[]>;
  play: (opened: Opened) => Promise<void>;
}
