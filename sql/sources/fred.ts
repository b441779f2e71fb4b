import { csv, source } from './declare.ts'
import { fetchedSeries, fredSeriesById, restrictedSeries } from './fred-series.ts'
import { observations } from './observations.ts'

/** FRED's identifiers of series, which it writes in capitals: `date,pmms30` is another publisher's. */
const ID = /^[A-Z][A-Z0-9_]{0,30}$/

/** The date column in the three generations of header. */
const DATE = /^(observation_date|date)$/i

const idOf = (heading: string): string =>
  fredSeriesById.has(heading.toUpperCase()) ? heading.toUpperCase() : heading

export default source({
  key: 'fred',
  name: 'FRED series',
  publisher: 'Federal Reserve Bank of St. Louis, for the publisher of each series',
  licence: 'By series: public domain, with citation, or restricted (docs/rates.md lists each)',
  address: 'https://fred.stlouisfed.org/',
  what: 'Treasury yields since 1962, policy rates, spreads, breakeven inflation, deposit and consumer rates.',
  fetch: {
    base: 'https://fred.stlouisfed.org',
    note: `left to you to load, as their publishers forbid handing them on: ${restrictedSeries
      .map(({ id, publisher }) => `${id} (${publisher})`)
      .join(', ')}`,
    addresses: () =>
      fetchedSeries.map(({ id }) => ({ name: `${id}.csv`, path: `/graph/fredgraph.csv?id=${id}` })),
  },
  tables: observations({
    form: csv({ endsLines: true }),
    series: {
      like: 'observation_date,DGS10',
      columns([date = '', ...headings], file) {
        if (!DATE.test(date) || headings.length === 0) return undefined
        const unnamed = headings.length === 1 && headings[0]!.toLowerCase() === 'value'
        // then the file is named after the series: `DGS10.csv`, `DGS10 (1).csv`
        const ids = unnamed
          ? [
              file
                .replace(/\.csv$/i, '')
                .replace(/ ?\(\d+\)$/, '')
                .toUpperCase(),
            ]
          : headings.map(idOf)
        if (ids.every((id) => ID.test(id)))
          return ids.map((series) => ({ series, uncatalogued: !fredSeriesById.has(series) }))
        return unnamed ? 'the header names no series, so name the file after it, as in DGS10.csv' : undefined
      },
    },
  }),
})
