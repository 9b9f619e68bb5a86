export interface Signal {
  readonly heard: Promise<void>;
  fire(): void;
}

/** A promise `heard` that resolves when `fire` is called. */
export function signal(): Signal {
  let fire = () => {};
  const heard = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { heard, fire };
}
