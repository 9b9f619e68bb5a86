// What we use of pdfkit, which has no types: http://pdfkit.org/docs/getting_started.html
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';
  import type { Font } from 'fontkit';

  interface TextOptions {
    readonly width?: number;
    readonly align?: 'left' | 'right';
    readonly continued?: boolean;
    readonly lineBreak?: boolean;
    readonly lineGap?: number;
  }

  interface StructureOptions {
    readonly lang?: string;
    readonly alt?: string;
    readonly scope?: 'Row' | 'Column';
    readonly bbox?: readonly [left: number, top: number, right: number, bottom: number];
    readonly placement?: 'Block' | 'Inline';
  }

  export interface StructureElement {
    add(child: StructureElement | (() => void)): this;
    end(): void;
  }

  export default class PDFDocument extends Readable {
    constructor(options: object);
    x: number;
    y: number;
    /** The part of PDF/UA, for the metadata. */
    subset: string | number;
    readonly page: {
      readonly width: number;
      readonly height: number;
      readonly margins: { top: number; bottom: number; left: number; right: number };
    };
    registerFont(name: string, font: Font): this;
    font(name: string, size?: number): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    text(text: string, options?: TextOptions): this;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    heightOfString(text: string, options?: TextOptions): number;
    widthOfString(text: string): number;
    image(source: Buffer, x: number, y: number, options: object): this;
    rect(x: number, y: number, width: number, height: number): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    fill(color?: string): this;
    addPage(): this;
    switchToPage(index: number): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    struct(
      type: string,
      options?: StructureOptions,
      children?: (() => void) | readonly StructureElement[],
    ): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: string, options?: { readonly actual?: string; readonly type?: string }): this;
    endMarkedContent(): this;
    end(): void;
  }
}
