/**
 * Wildcard mnemonics: the consolidated item where it is filed, else the domestic one. RCFX is RCFD else RCON, RCAX is
 * RCFA else RCOA (regulatory capital), RCWX is RCFW else RCOW (advanced approaches). MDRM assigns none of the three.
 */
const wildcards: Record<string, readonly [string, string]> = {
  RCFX: ['RCFD', 'RCON'],
  RCAX: ['RCFA', 'RCOA'],
  RCWX: ['RCFW', 'RCOW'],
}

/** The MDRM items that a `cc:` code stands for, in order of preference: one, or two for a wildcard. */
export function itemsOf(code: string): string[] {
  const pair = wildcards[code.slice(0, 4)]
  return pair ? pair.map((prefix) => prefix + code.slice(4)) : [code]
}
