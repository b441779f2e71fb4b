import { csv, source } from './declare.ts'
import { observations } from './observations.ts'

/** Columns of the history file, by their lower-case heading. */
const series: ReadonlyMap<string, string> = new Map([
  ['pmms30', 'PMMS_30Y'],
  ['pmms30p', 'PMMS_30Y_POINTS'],
  ['pmms15', 'PMMS_15Y'],
  ['pmms15p', 'PMMS_15Y_POINTS'],
  ['pmms51', 'PMMS_5_1_ARM'],
  ['pmms51p', 'PMMS_5_1_ARM_POINTS'],
  ['pmms51m', 'PMMS_5_1_ARM_MARGIN'],
  ['pmms51spread', 'PMMS_5_1_ARM_SPREAD'],
])

export default source({
  key: 'pmms',
  name: 'Primary Mortgage Market Survey',
  publisher: 'Freddie Mac',
  licence: 'Copyrighted by Freddie Mac; its terms let you use it with credit, not hand it on as a data set',
  address: 'https://www.freddiemac.com/pmms',
  what: 'National averages of 30-year and 15-year fixed mortgage rates each week since 1971 and 1991.',
  fetch: {
    base: 'https://www.freddiemac.com',
    addresses: () => [{ name: 'PMMS_history.csv', path: '/pmms/docs/PMMS_history.csv' }],
  },
  tables: observations({
    form: csv({ endsLines: true }),
    series: {
      like: 'date,pmms30,pmms30p,pmms15',
      columns(header) {
        const [date, ...headings] = header.map((heading) => heading.toLowerCase())
        if (date !== 'date' || headings[0] !== 'pmms30') return undefined
        return headings.map((heading) => {
          const known = series.get(heading)
          return known === undefined ? 'new' : { series: known }
        })
      },
      // rows since the survey of 2022-11-17 stop after the 15-year rate, below the header of all columns
      widths: [4],
    },
  }),
})
