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

/** One tab of a browser, whichever protocol drives it. `frame` is a part of the address of a frame in it. */
export interface Tab {
  /** Shared by all objects of one tab. */
  readonly id: string;
  /** The value of an expression, or of its promise, as JSON has it. */
  evaluate<T>(expression: string, frame?: string): Promise<T>;
  /** At a point of the page, or of the frame. */
  click(x: number, y: number, frame?: string): Promise<void>;
  press(key: string, frame?: string): Promise<void>;
  type(text: string, frame?: string): Promise<void>;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** A PNG of what is visible. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface TestBrowser {
  /** The folder in which it saves downloads. */
  readonly downloads: string;
  open(url: string, viewport?: Viewport): Promise<Tab>;
  /** All open tabs, also those that pages have opened. */
  tabs(): Promise<Tab[]>;
  close(): Promise<void>;
}

/** The events of a click, as WebDriver has them. */
export function clickAt(x: number, y: number): object[] {
  return [
    { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
}

/** The events that type a text, as WebDriver has them. */
export function keystrokes(text: string): object[] {
  return Array.from(text).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
}
