/** A file that is rejected as a whole. The message names the line and the reason. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`);
    this.line = line;
  }
}
