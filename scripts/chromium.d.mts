/** For `chromium.launch()` of playwright-core; rejects with one sentence when there is none. */
export function chromiumLaunchOptions(): Promise<{
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}>;
