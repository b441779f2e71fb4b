import { quoted } from '../quoted.ts'
import type { DemoKind } from './kind.ts'

/** How an item of banks becomes one of their holding company. */
interface Rule {
  source: string
  target: string
  /** Banks of which form it is of: those with foreign offices (031), the others, or all. */
  of?: 'foreign' | 'domestic' | 'all'
  weight?: number
  /** What the debt of the parent adds, times the share of its banks' equity that it is. */
  debt?: number
  /** What a year's interest on that debt adds, times the same. */
  interest?: number
}

const words = (text: string) => text.trim().split(/\s+/)
/** Consolidated items by the last four characters. */
const consolidated = (target: string, codes: string): Rule[] =>
  words(codes).flatMap((code): Rule[] => [
    { source: `RCFD${code}`, target: target + code, of: 'foreign' },
    { source: `RCON${code}`, target: target + code, of: 'domestic' },
  ])
const capital = (codes: string): Rule[] =>
  words(codes).flatMap((code): Rule[] => [
    { source: `RCFA${code}`, target: `BHCA${code}`, of: 'foreign' },
    { source: `RCOA${code}`, target: `BHCA${code}`, of: 'domestic' },
  ])
const renamed = (pairs: Readonly<Record<string, string>>, rule: Partial<Rule> = {}): Rule[] =>
  Object.entries(pairs).flatMap(([target, sources]) =>
    words(sources).map((source): Rule => ({ source, target, ...rule })),
  )
const same = (codes: string): Rule[] =>
  words(codes).map((code): Rule => ({ source: `RIAD${code}`, target: `BHCK${code}` }))
/** From the equity of the banks, which the parent holds and partly owes for. */
const fromEquity = (target: string, rule: Partial<Rule>): Rule[] =>
  consolidated('', '3210').map((equity) => ({
    weight: 0,
    ...rule,
    source: equity.source,
    of: equity.of!,
    target,
  }))

const realEstate = 'RCONF158 RCONF159 RCON1420 RCON1797 RCON5367 RCON5368 RCON1460 RCONF160 RCONF161'

const rules: readonly Rule[] = [
  ...consolidated(
    'BHCK',
    `0081 JJ34 1754 1771 1772 1773 JA22 B989 5369 B528 3123 3545 2145 2150 2143 3163 JF76 3164 2170 2948 B995 3548 3000
    B530 0416 3368 3365 3401 B558 B559 B560 B538 B539 K137 K207 1590 J454 1403 1406 1407 3505 3506 3507 3814 6550 3817
    J457 J458 J459 3411 3433 A126 8725`,
  ),
  ...consolidated('', '0071').map((rule) => ({ ...rule, target: 'BHCK0395' })),
  ...consolidated('', '3381').map((rule) => ({ ...rule, target: 'BHCKB985' })),
  ...consolidated('', '3190').flatMap((rule) => [
    { ...rule, target: 'BHCK2332', weight: 0.4 },
    { ...rule, target: 'BHCK2333', weight: 0.6 },
  ]),
  ...Object.entries({
    3200: '4062',
    3838: '3283',
    3632: '3247',
    3815: 'J455',
    3819: '6566',
    3821: '6570',
    A248: '0383',
  }).flatMap(([code, target]) =>
    consolidated('', code).map((rule) => ({ ...rule, target: `BHCK${target}` })),
  ),
  ...words('F164 F165').flatMap((code) =>
    consolidated('', code).map((rule) => ({ ...rule, target: 'BHCK3816' })),
  ),
  ...words('A551 A552 A557 A558').flatMap((code) =>
    consolidated('', code).map((rule) => ({ ...rule, target: 'BHCK0384' })),
  ),
  ...words('A553 A554 A559 A560').flatMap((code) =>
    consolidated('', code).map((rule) => ({ ...rule, target: 'BHCK0387' })),
  ),
  ...renamed({
    BHDMB987: 'RCONB987',
    BHDMB993: 'RCONB993',
    BHDM6631: 'RCON6631',
    BHDM6636: 'RCON6636',
    BHFN6631: 'RCFN6631',
    BHFN6636: 'RCFN6636',
    BHDM3516: 'RCON3360',
    BHFN3360: 'RCFN3360',
    BHCB2210: 'RCON2210',
    BHCB3187: 'RCON2215',
    BHCB2389: 'RCON6810 RCON0352',
    BHCBHK29: 'RCON6648 RCONJ473',
    BHCBJ474: 'RCONJ474',
    BHDMHK06: 'RCONHK05',
    BHCKF158: 'RCONF158',
    BHCKF159: 'RCONF159',
    BHCKF160: 'RCONF160',
    BHCKF161: 'RCONF161',
    BHDM1420: 'RCON1420',
    BHDM1460: 'RCON1460',
    BHDM1797: 'RCON1797',
    BHDM5367: 'RCON5367',
    BHDM5368: 'RCON5368',
    BHCK4598: 'RIAD4470',
    BHCK4483: 'RIAD4080',
  }),
  { source: 'RCON2210', target: 'BHCB3187', weight: -1 },
  ...renamed(
    {
      BHCK1410: 'RCFD1410',
      BHCK1763: 'RCFD1763',
      BHCK1764: 'RCFD1764',
      BHCK1292: 'RCFDB533',
    },
    { of: 'foreign' },
  ),
  ...renamed(
    { BHCKJ451: 'RCFD2107 RCFD1563', BHCKF162: 'RCFDF162', BHCKF163: 'RCFDF163' },
    { of: 'foreign' },
  ),
  { source: 'RCFDJ454', target: 'BHCKJ451', of: 'foreign', weight: -1 },
  ...renamed(
    {
      BHCK1410: realEstate,
      BHCK1763: 'RCON1766',
      BHCK1292: 'RCON1288',
      BHCKJ451: 'RCON2107 RCONJ464',
      BHCKF163: 'RCON2165',
    },
    { of: 'domestic' },
  ),
  ...capital('P859 8274 3792 A223 A224'),
  ...same(`4107 4073 4074 JJ33 4079 4093 4135 4217 3521 3196 4301 4302 4340 4460 4070 A220 C886 C888 C887 C386 C387 B492
    B493 4150 4635 4605`),
  // tax-equivalent: what is exempt is worth a quarter more
  ...words('BHCK4519 BHCK4592').flatMap((target) =>
    [
      [target === 'BHCK4519' ? 'RIAD4074' : 'RIAD4301', 1] as const,
      ['RIAD4313', 0.2658] as const,
      ['RIAD4507', 0.2658] as const,
    ].map(([source, weight]): Rule => ({ source, target, weight })),
  ),
  ...fromEquity('BHCK3210', { weight: 1, debt: -1 }),
  ...fromEquity('BHCK3519', { weight: 1, debt: -1 }),
  ...words('BHCK2948 BHCK2333').flatMap((target) => fromEquity(target, { debt: 1 })),
  ...words('BHCAP859 BHCA8274').flatMap((target) => fromEquity(target, { debt: -1 })),
  ...fromEquity('BHCA3792', { debt: -0.6 }),
  ...fromEquity('BHCK4073', { interest: 1 }),
  ...words('BHCK4074 BHCK4301 BHCK4519 BHCK4592').flatMap((target) => fromEquity(target, { interest: -1 })),
  ...fromEquity('BHCK4302', { interest: -0.21 }),
  ...fromEquity('BHCK4340', { interest: -0.79 }),
  // the parent alone: BHCP of those that file FR Y-9C, BHSP of small ones
  ...words('BHCP BHSP').flatMap((series): Rule[] => [
    ...words('2170 3239').flatMap((code) => fromEquity(series + code, { weight: 1 })),
    ...fromEquity(`${series}3210`, { weight: 1, debt: -1 }),
    ...fromEquity(series === 'BHCP' ? 'BHCP0368' : 'BHSP3151', { debt: 1 }),
    ...fromEquity(`${series}4073`, { interest: 1 }),
    ...fromEquity(`${series}4250`, { interest: -1 }),
    ...fromEquity(`${series}4340`, { interest: -0.79 }),
    { source: 'RIAD4340', target: `${series}4340` },
    ...words('0508 4250').flatMap((code) => [
      { source: 'RIAD4460', target: series + code },
      { source: 'RIAD4470', target: series + code },
    ]),
  ]),
  ...consolidated('', '2170').map((rule) => ({ ...rule, target: 'BHSP8519' })),
]

/** Items of FR Y-15 as shares of total assets. */
const systemic: Readonly<Record<string, number>> = {
  ...{ Y832: 1.25, M362: 0.1, M370: 0.09, M376: 0.16, M390: 90, M405: 3, M408: 0.2 },
  ...{ M411: 11, N255: 0.05, G506: 0.008, M422: 0.18, M426: 0.16, Y896: 0.12 },
}

const map = `values('source String, of String, target String, weight Float64, debt Float64, interest Float64', ${rules
  .map(
    ({ source, target, of = 'all', weight = 1, debt = 0, interest = 0 }) =>
      `(${[source, of, target].map(quoted).join(', ')}, ${weight}, ${debt}, ${interest})`,
  )
  .join(', ')})`

const sources = [...new Set(rules.map(({ source }) => source))].map(quoted).join(', ')

/**
 * The 400 largest holding companies of the demo's banks, consolidated of what their banks filed, with debt of the parent
 * beside. The last tenth of them are small: they report for June and December, and of the parent alone.
 */
export const holdingCompanies: DemoKind = {
  entity: 'holding_company',
  statements: [
    `CREATE TABLE demo_holders ENGINE = MergeTree ORDER BY rssd_id AS
    SELECT b.rssd_id AS rssd_id, assumeNotNull(b.holding_company_rssd_id) AS holder, h.place > h.holders * 0.9 AS small, h.debt AS debt,
      h.name AS name, h.city AS city, h.state AS state, h.zip AS zip, h.address AS address
    FROM demo_banks AS b INNER JOIN (
      SELECT holding_company_rssd_id, row_number() OVER (ORDER BY sum(final_assets) DESC) AS place, least(count() OVER (), 400) AS holders,
        (cityHash64(holding_company_rssd_id, 'debt') % 1000) / 4000 AS debt, argMin(word, i) AS word, argMin(city, i) AS city,
        argMin(state, i) AS state, argMin(zip, i) AS zip, argMin(address, i) AS address,
        upper(concat(word, [' Bancorp', ' Bancshares, Inc.', ' Financial Corporation'][1 + min(i) % 3])) AS name
      FROM demo_banks WHERE holding_company_rssd_id IS NOT NULL GROUP BY holding_company_rssd_id
    ) AS h ON h.holding_company_rssd_id = b.holding_company_rssd_id WHERE h.place <= h.holders`,
    `INSERT INTO holding_company_items (report_date, rssd_id, mdrm, report, value)
    SELECT i.report_date, h.holder, m.target, 'BHCF',
      round(sum(i.value * (m.weight + h.debt * m.debt + h.debt * m.interest * 0.05 * toMonth(i.report_date) / 12)))
    FROM (
      SELECT report_date, rssd_id, toString(c.mdrm) AS mdrm, assumeNotNull(any(c.value)) AS value FROM call_report_items AS c
      WHERE rssd_id IN (SELECT rssd_id FROM demo_holders) AND c.mdrm IN (${sources}) AND c.value IS NOT NULL
      GROUP BY report_date, rssd_id, mdrm
    ) AS i
    INNER JOIN (SELECT report_date, rssd_id, form FROM filers) AS f ON f.report_date = i.report_date AND f.rssd_id = i.rssd_id
    INNER JOIN demo_holders AS h ON h.rssd_id = i.rssd_id
    INNER JOIN ${map} AS m ON m.source = i.mdrm
    WHERE startsWith(m.target, 'BHSP') = h.small AND (NOT h.small OR toMonth(i.report_date) IN (6, 12))
      AND (m.of = 'all' OR (m.of = 'foreign') = (f.form = '031'))
    GROUP BY i.report_date, h.holder, m.target`,
    `INSERT INTO holding_company_filers (report_date, rssd_id, legal_name, address, city, state, zip, entity_type)
    SELECT report_date, rssd_id, name, address, city, state, zip, 'BHC'
    FROM (SELECT DISTINCT report_date, rssd_id FROM holding_company_items) AS i
    INNER JOIN (SELECT DISTINCT holder AS rssd_id, name, address, city, state, zip FROM demo_holders) AS h USING rssd_id`,
    // FR Y-15 of those above $100 billion at the ends of years, as shares of their assets
    `INSERT INTO fry15_items (report_date, rssd_id, mdrm, report, value)
    SELECT report_date, rssd_id, concat('RISK', share.1) AS mdrm, 'FRY15',
      round(value * share.2 * (0.6 + (cityHash64(rssd_id, mdrm) % 800) / 1000))
    FROM holding_company_items
    ARRAY JOIN [${Object.entries(systemic)
      .map(([item, share]) => `('${item}', ${share})`)
      .join(', ')}] AS share
    WHERE holding_company_items.mdrm = 'BHCK2170' AND value > 1e8 AND toMonth(report_date) = 12`,
    `INSERT INTO fry15_filers (report_date, rssd_id, legal_name)
    SELECT report_date, rssd_id, name FROM (SELECT DISTINCT report_date, rssd_id FROM fry15_items) AS i
    INNER JOIN (SELECT DISTINCT holder AS rssd_id, name FROM demo_holders) AS h USING rssd_id`,
    `INSERT INTO gsib_denominators (year, indicator, amount)
    SELECT toYear(report_date) AS year, substring(toString(mdrm), 5) AS indicator, 12 * max(value) AS amount FROM fry15_items
    GROUP BY year, indicator`,
    'DROP TABLE demo_holders',
  ],
}
