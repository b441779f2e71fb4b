// Forms 3, 4 and 5, as documents and as the SEC's data sets: what the insiders of a bank's registrant hold and trade.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ownershipForm } from './insider-files.ts'
import { withForms } from './with-forms.ts'

type Row = Record<string, unknown>
const picked = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))

t.test('each kind of transaction, worked by hand', async (t) => {
  const day = (n: number) => `2025-05-0${n}`
  const ceo = [{ cik: 77, name: 'DOE JANE', is: ['Director', 'Officer'], title: 'CEO' }]
  const { outcome, data } = await withForms(t, {
    // holds nothing yet
    '0000000001-24-000001/form3.xml': ownershipForm({ type: '3', period: '2024-01-02', owners: ceo }),
    // bought 1,000 at 10.50: 10,500 dollars
    '0000000001-25-000001.xml': ownershipForm({
      ...{ period: day(1), owners: ceo },
      transactions: [{ code: 'P', shares: '1000', price: '10.50', after: '1000' }],
      holdings: [{ after: '400', ownership: 'I', nature: 'By trust' }],
    }),
    // granted 500 at no price, under no plan
    '0000000001-25-000002.xml': ownershipForm({
      ...{ period: day(2), owners: ceo, plan: 'false' },
      transactions: [{ code: 'A', shares: '500', price: '0', after: '1500' }],
    }),
    // an option on 200 exercised at 4: the option goes, the shares come; 80 withheld for tax at 11; 120 sold under a plan at 11.25 the next day
    '0000000001-25-000003.xml': ownershipForm({
      ...{ period: day(3), owners: ceo, plan: '1' },
      transactions: [
        { code: 'M', shares: '200', price: '4', after: '1700' },
        { code: 'F', shares: '80', price: '11', direction: 'D', after: '1620' },
        { code: 'S', shares: '120', price: '11.25', direction: 'D', after: '1500', date: day(4) },
      ],
      options: [
        {
          ...{
            code: 'M',
            shares: '200',
            direction: 'D',
            after: '300',
            security: 'Stock Option',
            exercisePrice: '4',
          },
          underlyingShares: '200',
        },
      ],
    }),
    // gave 100 away
    '0000000001-25-000004.xml': ownershipForm({
      ...{ period: day(5), owners: ceo, plan: 'true' },
      transactions: [{ code: 'G', shares: '100', price: '0', direction: 'D', after: '1400' }],
    }),
    // the bank as owner of another issuer
    '0000000001-25-000005.xml': ownershipForm({
      ...{
        issuer: 1034665,
        owners: [{ cik: 19617, name: 'JPMORGAN CHASE &amp; CO', is: ['TenPercentOwner'] }],
      },
      transactions: [{ code: 'J', shares: '7', after: '7' }],
    }),
  })
  t.equal(outcome.editions.length, 1, 'small documents are one edition')
  t.match(outcome.editions[0], { status: 'published', rowsRejected: 0 })
  const rows = await data('/banks/100/sec/insiders/transactions/')
  t.strictSame(
    picked(
      rows,
      'filed_date',
      'date',
      'code',
      'derivative',
      'direction',
      'shares',
      'price',
      'value',
      'shares_after',
      'plan_10b5_1',
    ),
    [
      [day(5), day(5), 'G', false, 'D', 100, 0, 0, 1400, true],
      [day(3), day(3), 'M', true, 'D', 200, null, null, 300, true],
      [day(3), day(4), 'S', false, 'D', 120, 11.25, 1.35, 1500, true],
      [day(3), day(3), 'F', false, 'D', 80, 11, 0.88, 1620, true],
      [day(3), day(3), 'M', false, 'A', 200, 4, 0.8, 1700, true],
      [day(2), day(2), 'A', false, 'A', 500, 0, 0, 1500, false],
      [day(1), day(1), 'P', false, 'A', 1000, 10.5, 10.5, 1000, false],
    ],
  )
  t.match(rows[0], {
    owner: 'DOE JANE',
    roles: ['Director', 'Officer'],
    title: 'CEO',
    meaning: 'Bona fide gift',
    rssd_id: 100,
    cik: 19617,
  })
  t.match(rows[1], { exercise_price: 4, underlying: 'Common Stock', underlying_shares: 200 })
  const insiders = await data('/banks/100/sec/insiders/')
  t.match(insiders, [
    {
      ...{ owner_cik: 77, owner: 'DOE JANE', title: 'CEO', first_filed: '2024-01-02', last_filed: day(5) },
      // the trust is not of the last report
      ...{ security: 'Common Stock', direct_shares: 1400, indirect_shares: 0 },
      ...{ bought_shares: 1000, bought_value: 10.5, sold_shares: 120, sold_value: 1.35 },
    },
  ])
  t.equal(insiders.length, 1, 'the bank is no insider of itself')
  t.strictSame(picked(await data('/banks/100/sec/insiders/transactions/?code=P,S'), 'code'), [['S'], ['P']])
  t.equal((await data('/banks/100/sec/insiders/transactions/?owner=jane')).length, 7)
  t.equal((await data('/banks/100/sec/insiders/transactions/?owner=77')).length, 7)
  t.equal((await data('/banks/100/sec/insiders/transactions/?owner=smith')).length, 0)
  t.equal((await data('/banks/100/sec/insiders/transactions/?include=holdings')).length, 8)
  const large = await data('/sec/insider-transactions/?min_value=1')
  t.strictSame(picked(large, 'code', 'value', 'rssd_ids'), [
    ['S', 1.35, [100]],
    ['P', 10.5, [100]],
  ])
})

t.test('an amendment stands for the lines that it repeats', async (t) => {
  const filed = '2025-05-05'
  const original = { code: 'S', shares: '100', price: '10', direction: 'D', after: '900' } as const
  const { data, load, folder } = await withForms(t, {
    '0000000001-25-000001.xml': ownershipForm({
      signed: filed,
      transactions: [original, { ...original, shares: '50', after: '850' }],
      holdings: [{ after: '5', ownership: 'I', nature: 'By spouse' }],
    }),
    // another owner's filing of the same day
    '0000000001-25-000002.xml': ownershipForm({
      ...{ signed: filed, owners: [{ cik: 78, name: 'ROE RICHARD' }] },
      transactions: [original],
    }),
    // the price of the first was wrong; the holding too
    '0000000001-25-000003.xml': ownershipForm({
      ...{ type: '4/A', original: filed, signed: '2025-05-09' },
      transactions: [{ ...original, price: '10.75' }],
      holdings: [{ after: '6', ownership: 'I', nature: 'By spouse' }],
    }),
    // a sale had been left out
    '0000000001-25-000004.xml': ownershipForm({
      ...{ type: '4/A', original: filed, signed: '2025-05-10' },
      transactions: [{ ...original, shares: '7', price: '10.1', after: '843' }],
    }),
  })
  const url =
    '/banks/100/sec/insiders/transactions/?include=holdings&fields=form,shares,price,owner,shares_after'
  const rows = async () => picked(await data(url), 'form', 'shares', 'price', 'shares_after', 'owner')
  const expected = [
    ['4/A', 7, 10.1, 843, 'DOE JANE'],
    ['4/A', null, null, 6, 'DOE JANE'],
    ['4/A', 100, 10.75, 900, 'DOE JANE'],
    ['4', 100, 10, 900, 'ROE RICHARD'],
    ['4', 50, 10, 850, 'DOE JANE'],
  ]
  t.strictSame(await rows(), expected)
  t.strictSame(
    picked(await data('/sec/insider-transactions/'), 'form', 'shares', 'price'),
    expected.filter(([, shares]) => shares !== null).map((row) => row.slice(0, 3)),
  )
  // the price of the amendment was wrong again
  await writeFile(
    join(folder, '0000000001-25-000005.xml'),
    ownershipForm({
      ...{ type: '4/A', original: filed, signed: '2025-05-12' },
      transactions: [{ ...original, price: '10.85' }],
    }),
  )
  await load('sec-ownership', [join(folder, '0000000001-25-000005.xml')])
  t.strictSame(await rows(), [
    ['4/A', 100, 10.85, 900, 'DOE JANE'],
    ...expected.filter(([, , price]) => price !== 10.75),
  ])
})
