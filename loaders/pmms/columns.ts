/** Columns of the history file, by their lower-case heading. */
export const pmmsColumns: ReadonlyMap<string, string> = new Map([
  ['pmms30', 'PMMS_30Y'],
  ['pmms30p', 'PMMS_30Y_POINTS'],
  ['pmms15', 'PMMS_15Y'],
  ['pmms15p', 'PMMS_15Y_POINTS'],
  ['pmms51', 'PMMS_5_1_ARM'],
  ['pmms51p', 'PMMS_5_1_ARM_POINTS'],
  ['pmms51m', 'PMMS_5_1_ARM_MARGIN'],
  ['pmms51spread', 'PMMS_5_1_ARM_SPREAD'],
])
