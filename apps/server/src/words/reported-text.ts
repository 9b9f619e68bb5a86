import { isolateText } from '@svc/contract/isolate-text';

/**
 * Text that a portal or a partner wrote, for a sentence of ours. Line breaks and hidden characters, such
 * as an override of the writing direction, could change what stands around it, so they become spaces.
 */
export function reportedText(text: string): string {
  return isolateText(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
}
