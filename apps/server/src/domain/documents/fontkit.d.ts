// What we use of fontkit, which has no types: https://github.com/foliojs/fontkit
declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  export function create(file: Uint8Array): Font;
}
