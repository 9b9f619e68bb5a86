import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

/**
 * Writes a screenshot as a PNG of at most 256 colors, a third of its size. Screens have few colors;
 * a rare shade at the edge of a letter becomes the nearest common one.
 */
export async function writePng(browser: Browser, path: string, screenshot: Buffer): Promise<void> {
  const { width, height, pixels } = await decode(browser, screenshot);
  const palette = commonColors(pixels);
  const indexOf = new Map<number, number>(palette.map((color, index) => [color, index]));
  // Each line begins with its filter type. It stays 0 (none), which suits flat colors.
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, color] of pixels.entries()) {
    let index = indexOf.get(color);
    if (index === undefined) {
      index = nearest(palette, color);
      indexOf.set(color, index);
    }
    lines[at + Math.floor(at / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits for each pixel, with a palette.
  await writeFile(
    path,
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
      chunk('IDAT', deflateSync(lines, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

/** Decodes a PNG in the browser, because Node has no decoder. A pixel is `0xrrggbb`. */
async function decode(browser: Browser, png: Buffer) {
  const page = await browser.newPage();
  const { width, height, rgba } = await page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const rgba = await new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(new Blob([data]));
      });
      return { width: image.width, height: image.height, rgba: String(rgba) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.context().close();
  const bytes = Buffer.from(rgba.slice(rgba.indexOf(',') + 1), 'base64');
  const pixels = new Uint32Array(width * height);
  for (const at of pixels.keys()) pixels[at] = bytes.readUIntBE(at * 4, 3);
  return { width, height, pixels };
}

function commonColors(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([color]) => color);
}

function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((other) => {
    const channels = channelsOf(other);
    return channelsOf(color).reduce(
      (sum, value, at) => sum + (value - (channels[at] ?? 0)) ** 2,
      0,
    );
  });
  return distances.indexOf(Math.min(...distances));
}

function channelsOf(color: number): [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
