/** The most quarters of a demo universe: its invented economy begins in the year 2000. */
export const mostQuarters = 100
