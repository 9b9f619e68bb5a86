import { isTest, sourceFiles } from '../../../../scripts/check/source-files.ts';
import { piecesOf, statementsOf } from '../../../../scripts/check/sql-statements.ts';

/** A statement as it is written in the source. */
export interface SourceStatement {
  /** `apps/server/src/….ts:12` */
  readonly place: string;
  readonly text: string;
  /** Its text between placeholders, in order. */
  readonly pieces: readonly string[];
}

let found: SourceStatement[] | undefined;

/** Returns the statements of the service and the engine, without fragments. Reads their source only once. */
export function readSourceStatements(root: string): SourceStatement[] {
  found ??= ['apps/server/src', 'packages/webhooks/src']
    .flatMap((folder) =>
      sourceFiles(`${root}/${folder}`, /\.ts$/).map((file) => ({
        ...file,
        path: `${folder}/${file.path}`,
      })),
    )
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      statementsOf(file)
        .filter(({ text }) => isWhole(text))
        .map(({ line, text }) => ({
          place: `${file.path}:${line}`,
          text,
          pieces: piecesOf(text),
        })),
    );
  return found;
}

function isWhole(text: string): boolean {
  const bare = text.replaceAll(/\/\*.*?\*\/|--.*$/gms, '');
  return /^`\s*(select|with|insert|update|delete)\b/.test(bare);
}

/** Finds the source's statement that produced this text: the longest that matches. */
export function findSource(
  statements: readonly SourceStatement[],
  text: string,
): SourceStatement | undefined {
  return statements
    .filter(({ pieces: [first = ''] }) => text.trimStart().startsWith(first.trimStart()))
    .filter(({ pieces }) => text.trimEnd().endsWith(pieces.at(-1)?.trimEnd() ?? ''))
    .filter((statement) => isIn(statement, text))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
}

function lengthOf({ pieces }: SourceStatement): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Returns whether the text contains the statement, which may be a part of a larger one. */
export function isIn({ pieces }: SourceStatement, text: string): boolean {
  let at = 0;
  for (const piece of pieces) {
    const start = text.indexOf(piece, at);
    if (start === -1) return false;
    at = start + piece.length;
  }
  return true;
}
