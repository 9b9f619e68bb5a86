export const keys = { escape: '\uE00C', tab: '\uE004', control: '\uE009' } as const;

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A phone and a laptop. WebKitGTK's window has at least 447 pixels. */
export const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const satisfies Record<string, Viewport>;

/** One tab of a browser, for any protocol that drives it. `frame` is a part of the address of one of its frames. */
export interface Tab {
  /** Identifies the tab. All objects that drive one tab share it. */
  readonly id: string;
  /** Returns the value of an expression, or of its promise, after a round trip through JSON. */
  evaluate<T>(expression: string, frame?: string): Promise<T>;
  /** Clicks at a point of the page, or of the frame. */
  click(x: number, y: number, frame?: string): Promise<void>;
  press(key: string, frame?: string): Promise<void>;
  type(text: string, frame?: string): Promise<void>;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Returns a PNG of the visible part. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface TestBrowser {
  /** The folder in which it saves downloads. */
  readonly downloads: string;
  open(url: string, viewport?: Viewport): Promise<Tab>;
  /** Returns all open tabs, including those that pages have opened. */
  tabs(): Promise<Tab[]>;
  close(): Promise<void>;
}

/** Returns the events of a click, in WebDriver's format. */
export function clickAt(x: number, y: number): object[] {
  return [
    { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
}

/** Returns the events that type a text, in WebDriver's format. */
export function keystrokes(text: string): object[] {
  return Array.from(text).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
}
