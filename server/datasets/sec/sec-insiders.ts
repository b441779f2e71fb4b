import { INSIDER_FEED, INSIDER_LINES } from '../../../sql/insiders/index.ts'
import { code, id, longDate, money, over, strings, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { insiderNote, insiderSources, numberOf } from '../../catalog/parts/insiders.ts'
import {
  askedRssdId,
  bankOfRegistrant,
  behindBank,
  cik,
  registrantNote,
} from '../../catalog/parts/sec-registrant.ts'

/** Purchases and sales for money: grants, exercises, gifts and shares withheld are none. */
const traded = (of: string, letter: 'P' | 'S') =>
  `ifNull(sumIf(${of}, code = '${letter}' AND NOT derivative AND date > (SELECT addMonths(max(filed_date), -12) FROM ${INSIDER_FEED})), 0)`

export default dataset({
  key: 'sec-insiders',
  summary:
    'Everybody who reported as an insider of a bank’s registrant: role, holdings after the last report, and what was bought and sold in twelve months; the newest report first.',
  notes: `${registrantNote} ${insiderNote} Holdings are those of the last report that tells any, of the class of shares that it is of: a class that it is silent about is not counted. Bought and sold are purchases and sales for money (codes P and S) of shares, by the day of the transaction, in the twelve months to the newest filing of any bank registrant.`,
  // one grouping, and what is held out of arrays: to read the lines several times costs more to plan than to do
  from: `
    SELECT *, reported[-1] AS newest, newest.4 AS security,
      arrayReverse(arrayFilter(one -> one.1 = newest.1 AND one.4 = newest.4, reported)) AS lines,
      arrayFilter((one, nth) -> nth = 1, lines, arrayEnumerateUniq(lines.5, lines.6)) AS held,
      if(empty(reported), NULL, arraySum(one -> if(one.5 = 'I', 0, one.7), held)) AS direct_shares,
      if(empty(reported), NULL, arraySum(one -> if(one.5 = 'I', one.7, 0), held)) AS indirect_shares
    FROM (
      SELECT cik, owner_cik, argMax(owner, at) AS owner, argMax(role, at) AS roles, nullIf(argMaxIf(own.title, at, own.title != ''), '') AS title,
        min(own.filed_date) AS first_filed, max(own.filed_date) AS last_filed, argMax(own.accession_number, at) AS accession_number,
        ${traded('shares', 'P')} AS bought_shares, ${traded('value', 'P')} AS bought_value,
        ${traded('shares', 'S')} AS sold_shares, ${traded('value', 'S')} AS sold_value,
        arraySort(groupArrayIf((at, NOT holding, line, security, ownership, nature, assumeNotNull(shares_after)), NOT derivative AND shares_after IS NOT NULL)) AS reported
      FROM (
        SELECT cik, filed_date, accession_number, derivative, holding, line, security, date, code, shares, value, ownership, nature, shares_after,
          (filed_date, accession_number) AS at, owner_ciks AS owner_cik, owners AS owner, owner_roles AS role, owner_titles AS title
        FROM ${INSIDER_LINES} ARRAY JOIN owner_ciks, owners, owner_roles, owner_titles WHERE ${behindBank}
      ) AS own
      GROUP BY cik, owner_cik
    )`,
  time: { kind: 'none' },
  grain: ['cik', 'owner_cik'],
  order: ['-last_filed'],
  parameters: { rssd_id: { ...bankOfRegistrant(), where: undefined } },
  columns: [
    askedRssdId,
    cik,
    id('owner_cik', 'CIK of the owner'),
    text('owner', 'Owner'),
    strings('roles', 'Roles', { doc: 'Director, Officer, TenPercentOwner, Other; of the last report.' }),
    text('title', 'Title', { nullable: true, doc: 'Of an officer.' }),
    longDate('first_filed', 'First report'),
    longDate('last_filed', 'Last report'),
    text('accession_number', 'Accession number', { doc: 'Of the last report.' }),
    code('security', 'Class of shares held'),
    numberOf('direct_shares', 'Shares held directly'),
    numberOf('indirect_shares', 'Shares held indirectly'),
    ...[
      numberOf('bought_shares', 'Shares bought'),
      money('bought_value', 'Bought'),
      numberOf('sold_shares', 'Shares sold'),
      money('sold_value', 'Sold'),
    ].map((column) => over(column, { nullable: false })),
  ],
  sources: insiderSources,
  examples: [{ title: 'Every insider' }, { title: 'Who sold most', query: 'sort=-sold_value' }],
})
