/**
 * Parses a US phone number, however it was typed, to E.164, such as `+12125550123`. Null for any other text: a
 * foreign, toll-free or premium number, or no number. Only the provider knows whether it is a mobile.
 */
export function readUsNumber(text: string): string | null {
  const digits = text.slice(0, 40).replaceAll(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (!/^[2-9]\d\d[2-9]\d{6}$/.test(national)) return null;
  const area = national.slice(0, 3);
  return excludedAreaCodes.has(area) || area.endsWith('11') ? null : `+1${national}`;
}

/** `(•••) •••-0123`. */
export function maskNumber(number: string): string {
  return `(•••) •••-${number.slice(-4)}`;
}

// Area codes of +1 that are not of the United States, or that no mobile has. Texts to some of the
// islands cost a lot, and their carriers may pay people who request many.
const excludedAreaCodes = new Set(
  [
    // Canada
    '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450',
    '460 468 474 506 514 519 548 579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782',
    '807 819 825 867 873 879 902 905 942',
    // The Caribbean and Bermuda, without Puerto Rico and the US Virgin Islands
    '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876',
    // Toll-free, premium and personal numbers
    '500 521 522 523 524 525 526 527 528 529 533 544 566 577 588 600 622 700 710 800 833 844 855 866',
    '877 888 900',
  ].flatMap((codes) => codes.split(' ')),
);
