const BAR_WIDTH = 24;
const REDRAW_MS = 200;

/**
 * Shows progress: a line that updates on a terminal, two plain lines elsewhere.
 * @param {string} label
 * @param {() => number | undefined} [share] the completed share, 0 to 1, for a progress bar
 * @returns {{ done(result?: string): void, failed(): void }}
 */
export function startProgress(label, share = () => undefined) {
  const began = performance.now();
  const terminal = process.stderr.isTTY === true;
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const draw = () => process.stderr.write(`\r\x1b[2K${label} ${bar(share())}${seconds()}`);
  const timer = terminal ? setInterval(draw, REDRAW_MS) : undefined;
  if (terminal) draw();
  else process.stderr.write(`${label} …\n`);
  /** @param {string} text */
  const end = (text) => {
    clearInterval(timer);
    process.stderr.write(`${terminal ? '\r\x1b[2K' : ''}${label} ${text}\n`);
  };
  return {
    done: (result = 'done') => end(`${result} (${seconds()})`),
    failed: () => end(`failed (${seconds()})`),
  };
}

/** @param {number | undefined} share */
function bar(share) {
  if (share === undefined) return '';
  const full = Math.round(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}] `;
}
