/** Options for `chromium.launch()` of playwright-core. Rejects with advice when no browser is found. */
export function chromiumLaunchOptions(): Promise<{
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}>;
