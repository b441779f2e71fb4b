// Parsers that a file has brought to never come back: for a thread.

/** Takes all the time there is. */
export function spin(): never {
  for (;;);
}

/** Takes all the memory there is. */
export function hoard(): never {
  const kept: string[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, k) => `${k}`))
}
