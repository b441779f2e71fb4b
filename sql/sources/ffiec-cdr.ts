import type { Address, FetchDeclaration } from './fetch.ts'

/**
 * The public web service of the FFIEC's Central Data Repository (its interface specification CDR-PDD-SIS-611 1.10): all
 * parameters are headers, a token lasts 90 days, 2,500 requests an hour. It has no bulk files: the report of each bank
 * comes by itself, as a JSON string of its bytes in base 64. No real address was reached with it.
 */
export const cdrWebService: FetchDeclaration = {
  base: 'https://ffieccdr.azure-api.us/public',
  headers: { UserID: '{CDR_USER}', Authentication: 'Bearer {CDR_TOKEN}' },
  perSecond: 2_500 / 3_600,
  addresses: () => [
    {
      ...{ name: 'periods.json', path: '/RetrieveReportingPeriods', aside: true },
      headers: { dataSeries: 'Call' },
      // newest first, and banks still file again for the last two
      leadsTo: (text) => (JSON.parse(text) as string[]).slice(0, 2).flatMap(ofPeriod),
    },
  ],
}

/** What banks filed for a period, by `3/31/2026`. */
function ofPeriod(period: string): Address[] {
  const [month, day, year] = period.split('/')
  const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  const headers = { dataSeries: 'Call', reportingPeriodEndDate: period }
  return [
    { name: `por-${date}.json`, path: '/RetrievePanelOfReporters', headers },
    {
      ...{ name: `filed-${date}.json`, path: '/RetrieveFilersSubmissionDateTime', aside: true },
      // no report of a period is older than its end
      headers: { ...headers, lastUpdateDateTime: period },
      leadsTo: (text) =>
        (JSON.parse(text) as { ID_RSSD: number | string; DateTime: string }[]).map(
          ({ ID_RSSD, DateTime }): Address => ({
            // a bank that files again has another time, and its report another name
            name: `call-${date}-${ID_RSSD}-${stampOf(DateTime)}.sdf`,
            path: '/RetrieveFacsimile',
            headers: { ...headers, fiIdType: 'ID_RSSD', fiId: String(ID_RSSD), facsimileFormat: 'SDF' },
            ...{ base64: true, settled: true },
          }),
        ),
    },
  ]
}

/** `20260420152330` of `4/20/2026 3:23:30 PM`. */
function stampOf(time: string): string {
  const [, month, day, year, hour, minute, second, half] =
    /^(\d+)\/(\d+)\/(\d{4}) (\d+):(\d+):(\d+) ([AP])M$/.exec(time) ?? []
  if (half === undefined) throw new Error(`“${time}” is no time such as 4/20/2026 3:23:30 PM`)
  const two = (text: string | number) => String(text).padStart(2, '0')
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0)
  return `${year}${two(month!)}${two(day!)}${two(hours)}${two(minute!)}${two(second!)}`
}
