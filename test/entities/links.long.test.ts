// What a source calls an institution, and which one that is: names as agencies write them, labelled by hand.
import t, { type Test } from 'tap'
import { writeEntities } from '../../sql/entities/index.ts'
import { linkedTables } from '../../sql/sources/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { world } from '../derive/world.ts'

/** RSSD ID, certificate, name, city, state, and the last quarter filed: namesakes in a state, a town, and over time. */
const filers: [number, number, string, string, string, string][] = [
  [101, 9001, 'FIRST STATE BANK', 'ALTUS', 'OK', '2009-06-30'],
  [102, 9002, 'FIRST STATE BANK', 'CAMARGO', 'OK', '2019-12-31'],
  [103, 9003, 'FIRST NATIONAL BANK IN ALTUS', 'ALTUS', 'OK', '2019-12-31'],
  [104, 9004, 'CITIZENS BANK, NATIONAL ASSOCIATION', 'ST. LOUIS', 'MO', '2012-03-31'],
  [105, 9005, 'CITIZENS SAVINGS BANK', 'ST. LOUIS', 'MO', '2012-03-31'],
  [106, 9006, 'FARMERS & MERCHANTS BANK OF LONG BEACH', 'LONG BEACH', 'CA', '2019-12-31'],
  [107, 9007, 'MCINTOSH STATE BANK', 'JACKSON', 'GA', '2011-03-31'],
  [108, 9008, 'FRONTIER BANK', 'LA GRANGE', 'GA', '2012-12-31'],
  [109, 9009, 'COMMUNITY BANK OF WEST GEORGIA', 'VILLA RICA', 'GA', '2009-03-31'],
  [110, 9010, 'COMMUNITY BANK & TRUST', 'CORNELIA', 'GA', '2009-12-31'],
  [111, 9011, 'COMMUNITY BANK & TRUST - WEST GEORGIA', 'LA GRANGE', 'GA', '2019-12-31'],
  [112, 9012, 'INDYMAC BANK, F.S.B.', 'PASADENA', 'CA', '2008-06-30'],
  [113, 9013, 'INTEGRITY BANK', 'ALPHARETTA', 'GA', '2008-06-30'],
  [114, 9014, 'INTEGRITY BANK', 'JUPITER', 'FL', '2009-06-30'],
  [115, 9015, 'PEOPLES BANK', 'LYONS', 'GA', '2019-12-31'],
  [116, 9016, 'THE PEOPLES BANK', 'LYONS', 'GA', '2019-12-31'],
  [117, 9017, 'VALLEY BANK', 'MOLINE', 'IL', '2014-03-31'],
  [118, 9017, 'VALLEY BANK', 'FORT LAUDERDALE', 'FL', '2014-03-31'],
  [119, 9019, 'MIDWEST BANK AND TRUST COMPANY', 'ELMWOOD PARK', 'IL', '2010-03-31'],
  [120, 9020, 'BANK OF GRANITE', 'GRANITE FALLS', 'NC', '2011-03-31'],
  [121, 9021, 'SUPERIOR BANK', 'BIRMINGHAM', 'AL', '2010-12-31'],
  [122, 9022, 'HERITAGE OAKS BANK', 'PASO ROBLES', 'CA', '2016-12-31'],
  [123, 9023, 'ALMENA STATE BANK', 'ALMENA', 'KS', '2020-09-30'],
  [124, 9024, 'BANK OF CLARK COUNTY', 'VANCOUVER', 'WA', '2008-09-30'],
]

/** Certificate, name, city, state, day, and the label: which bank a reader takes it for; null where nobody could say. */
const failed: [number | null, string, string, string, string, number | null][] = [
  // by certificate, whatever the name
  [9023, 'ALMENA ST BK', 'ALMENA', 'KS', '2020-10-23', 123],
  [9020, 'BANK OF GRANITE CORP', 'HICKORY', 'NC', '2011-07-08', 120],
  [9017, 'VALLEY BANK', 'MOLINE', 'IL', '2014-06-20', 117],
  // mistyped: it is of a bank in another state with another name
  [9023, 'SUPERIOR BANK', 'BIRMINGHAM', 'AL', '2011-04-15', null],
  // of nobody who filed, and the name is another certificate's
  [7777, 'FIRST STATE BANK', 'ALTUS', 'OK', '1985-02-01', null],
  // as it is written
  [null, 'First State Bank', 'Altus', 'OK', '2009-07-31', 101],
  [null, 'INTEGRITY BANK', 'ALPHARETTA', 'GA', '2008-08-29', 113],
  [null, 'Integrity Bank', 'Jupiter', 'FL', '2009-07-31', 114],
  [null, 'McIntosh State Bank', 'Jackson', 'GA', '2011-06-17', 107],
  // charters, spelling
  [null, 'CITIZENS BANK, N.A.', 'SAINT LOUIS', 'MO', '2012-05-01', 104],
  [null, 'Citizens Savings Bank, FSB', 'St Louis', 'MO', '2012-05-01', 105],
  [null, 'The Farmers and Merchants Bank, Long Beach', 'Long Beach', 'CA', '2020-01-31', 106],
  [null, 'Frontier Bank', 'LaGrange', 'GA', '2013-03-08', 108],
  [null, 'Community Bank and Trust', 'Cornelia', 'GA', '2010-01-29', 110],
  [null, 'INDYMAC BANK FSB', 'PASADENA', 'CA', '2008-07-11', 112],
  [null, 'Midwest Bank & Trust Co.', 'Elmwood Park', 'IL', '2010-05-14', 119],
  [null, 'Superior Bank (d/b/a Superior Federal)', 'Birmingham', 'AL', '2011-04-15', 121],
  [null, 'BANK OF CLARK CNTY', 'VANCOUVER', 'WA', '2009-01-16', 124],
  // letters lost
  [null, 'Heritage Oak Bank', 'Paso Robles', 'CA', '2017-02-01', 122],
  [null, 'ALMENA STAT BANK', 'ALMENA', 'KS', '2020-10-23', 123],
  // moved, or another
  [null, 'Integrity Bank', 'Tampa', 'FL', '2009-07-31', null],
  [null, 'Valley Bank', 'Roanoke', 'VA', '2015-01-01', null],
  // two of one name in the town
  [null, 'Peoples Bank', 'Lyons', 'GA', '2020-02-01', 115],
  [null, 'PEOPLES BANK CO', 'LYONS', 'GA', '2020-02-01', null],
  // a namesake that went on filing
  [null, 'First State Bank', 'Camargo', 'OK', '2009-07-31', null],
  // names that share most words
  [null, 'First Bank', 'Altus', 'OK', '2009-07-31', null],
  [null, 'Community Bank', 'Villa Rica', 'GA', '2009-06-26', null],
  [null, 'Community Bank & Trust', 'La Grange', 'GA', '2020-01-29', null],
  [null, 'Citizens National Bank', 'St. Louis', 'MO', '2012-05-01', null],
  // nobody
  [null, 'Penn Square Bank, N.A.', 'Oklahoma City', 'OK', '1982-07-05', null],
  [null, '', 'Altus', 'OK', '1990-01-01', null],
]

async function filed(t: Test) {
  const w = await world(t)
  await w.insert(
    'filers',
    filers.map(([rssd_id, cert, legal_name, city, state, report_date]) => ({
      ...{ report_date, rssd_id, cert, form: '041', legal_name, city, state },
    })),
  )
  await w.insert(
    'failures',
    failed.map(([cert, name, city, state, failed_date], index) => ({
      ...{ id: index + 1, cert, name, city, state, failed_date, kind: 'FAILURE' },
    })),
  )
  const links = async () => {
    await writeEntities(w, [banks], linkedTables)
    return w.rows<{ own: string; entity_id: number | null; method: string; evidence: string; score: number }>(
      "SELECT own, entity_id, method, evidence, score FROM links WHERE relation = 'failures' ORDER BY toUInt32(own)",
    )
  }
  return { ...w, links }
}

t.test('links against labels', async (t) => {
  const { links } = await filed(t)
  const found = await links()
  t.equal(found.length, failed.length, 'a link each, whether certain or not')
  const at = found.map(({ entity_id }, index) => ({ found: entity_id, label: failed[index]!.at(-1) }))
  for (const [index, one] of at.entries())
    t.ok(
      one.found === null || one.found === one.label,
      `${failed[index]!.join(', ')}: ${one.found} ${found[index]!.evidence}`,
    )
  const linked = at.filter((one) => one.found !== null).length
  const labelled = at.filter(({ label }) => label !== null).length
  const right = at.filter((one) => one.found !== null && one.found === one.label).length
  t.equal(right, linked, `precision: ${right} of ${linked}`)
  t.equal(right, labelled, `recall: ${right} of ${labelled}`)
  const method = (index: number) => found[index]!.method
  t.strictSame([0, 5, 9, 18].map(method), ['id', 'exact', 'normalised', 'similar'])
  t.match(found[0]!.evidence, 'certificate 9023')
  t.match(found[23], { method: 'normalised', evidence: /^several: PEOPLES BANK, LYONS GA; THE PEOPLES BANK/ })
  t.match(found[29], { method: 'none', score: 0 })
})

t.test('a correction wins over all, and what is linked exists', async (t) => {
  const w = await filed(t)
  await w.insert('link_corrections', [
    { relation: 'failures', own: '30', entity: 'bank', entity_id: 777, why: 'the receiver’s report' },
    { relation: 'failures', own: '1', entity: 'bank', entity_id: null, why: 'a typing error' },
    { relation: 'failed_banks', own: '2', entity: 'bank', entity_id: 778, why: 'of another table' },
  ])
  const found = await w.links()
  t.match(found[29], { entity_id: 777, method: 'correction', score: 1, evidence: /receiver/ })
  t.match(found[0], { entity_id: null, method: 'correction' })
  t.match(found[1], { entity_id: 120, method: 'id' })
  t.strictSame(await w.rows('SELECT id, rssd_id FROM linked_failures WHERE id IN (1, 2, 30) ORDER BY id'), [
    { id: 1, rssd_id: null },
    { id: 2, rssd_id: 120 },
    { id: 30, rssd_id: 777 },
  ])
  t.strictSame(
    (await w.rows<{ id: number }>("SELECT id FROM entities WHERE kind = 'bank' AND id > 700")).map(
      ({ id }) => id,
    ),
    [777],
  )
})
