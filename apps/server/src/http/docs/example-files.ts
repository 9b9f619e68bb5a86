import type { UploadType } from '../route.ts';

/** The smallest files that the uploads accept, as data URLs: a blue square, and a font with one glyph. */
export const exampleFiles: Readonly<Partial<Record<UploadType, string>>> = {
  'image/png':
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQ9btBEmIY1TCqYfhqAAD880MQ0FIJmgAAAABJRU5ErkJggg==',
  'font/woff2':
    'data:font/woff2;base64,d09GMgABAAAAAAEEAAoAAAAAAlQAAAC7AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAALAoYNAE2AiQDBAsEAAQgBWAHIBu9AQCeB7aNZH0VG+Flt/JMMJ7/d9nu+8lSahEWu8aOoxqJxqqRguNBx21MaO/GaTyHdAoiCGqeI0h6jdMpCswDrn3YtCbPmlIDNsbA5a4zqqVWU7LQiSXh3R0oNBxpgiPdGUrBGIwhgIBC0LEAdJCexXY3PwNB+LHl6y7/a639wvez5j/81YymQGh3A2oCX1kAAKkJBNEFFAAAuhcBsYqAsmpVk74udux0lK/mMrqJWs89aqNIkHQKLQMAAAA=',
};
