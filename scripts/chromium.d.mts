/** Options for `chromium.launch()` of playwright-core. Rejects with advice when no browser starts. */
export function chromiumLaunchOptions(): Promise<{
  executablePath?: string;
  channel?: string;
  args: string[];
  env?: Record<string, string>;
}>;
