export interface Signal {
  readonly heard: Promise<void>;
  fire(): void;
}

/** Something that happens once and can be waited for. */
export function signal(): Signal {
  let fire = () => {};
  const heard = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { heard, fire };
}
