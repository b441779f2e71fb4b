/**
 * Schedules of the bulk files since 2001. Another well-formed one is loaded all the same, and reported: the forms
 * change, and to leave a new schedule out would be to lose it.
 */
const KNOWN = new Set(
  `CI ENT GCI GI GL LEO NARR POR RC RCA RCB RCCI RCCII RCD RCE RCEI RCEII RCF RCG RCH RCI RCJ RCK RCL RCM RCN RCO
   RCP RCQ RCR RCRI RCRIA RCRIB RCRII RCS RCT RCV RI RIA RIB RIBI RIBII RIC RICI RICII RID RIE SU`.split(
    /\s+/,
  ),
)

/** The schedules that no earlier quarter's files had, in alphabetical order. */
export function newSchedules(schedules: Iterable<string>): string[] {
  return [...new Set(schedules)].filter((schedule) => !KNOWN.has(schedule)).sort()
}
