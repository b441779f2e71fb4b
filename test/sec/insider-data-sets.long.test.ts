// The SEC's data sets of Forms 3, 4 and 5, and archives of the forms themselves.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { zipOf } from '../loaders/helpers.ts'
import { ratesApp } from '../rates/rates-app.ts'
import { insiderTsvs, ownershipForm } from './insider-files.ts'
import { withForms } from './with-forms.ts'

type Row = Record<string, unknown>

t.test('the data sets of a quarter tell the same as the documents', async (t) => {
  const form = ownershipForm({
    ...{
      period: '2025-05-01',
      owners: [{ cik: 77, name: 'DOE JANE', is: ['Director', 'Officer'], title: 'CEO' }],
      plan: '1',
    },
    transactions: [{ code: 'P', shares: '1000', price: '10.50', after: '1000' }],
    holdings: [{ after: '400', ownership: 'I', nature: 'By trust' }],
    options: [
      {
        code: 'A',
        shares: '9',
        price: '0',
        after: '9',
        security: 'Option',
        exercisePrice: '4',
        underlyingShares: '9',
      },
    ],
  })
  const accession = '0000000001-25-000001'
  const { data, load, folder, outcome } = await withForms(t, {
    [`${accession}.xml`]: form,
    'broken-0000000001-25-000009.xml': form.replace('</ownershipDocument>', ''),
    'foreign-0000000001-25-000008.xml': form.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'),
  })
  t.match(outcome.editions[0], { status: 'published', rowsKept: 5 })
  const rejects = outcome.editions[0]!.rowsRejected
  t.ok(rejects >= 2, 'what is not whole is listed, and the rest is loaded')
  const url = '/banks/100/sec/insiders/transactions/?include=holdings'
  const without = (rows: Row[]) => rows.map(({ line: _, issuer: __, ...row }) => row)
  const before = without(await data(url))
  t.equal(before.length, 3)
  const all = { ACCESSION_NUMBER: accession, DIRECT_INDIRECT_OWNERSHIP: 'D', SECURITY_TITLE: 'Common Stock' }
  const trade = {
    TRANS_DATE: '01-MAY-2025',
    TRANS_FORM_TYPE: '4',
    EQUITY_SWAP_INVOLVED: '0',
    TRANS_ACQUIRED_DISP_CD: 'A',
  }
  const zip = zipOf(
    Object.entries(
      insiderTsvs({
        'SUBMISSION.tsv': [
          {
            ...{
              ACCESSION_NUMBER: accession,
              FILING_DATE: '01-MAY-2025',
              PERIOD_OF_REPORT: '01-MAY-2025',
              DOCUMENT_TYPE: '4',
            },
            ...{
              ISSUERCIK: '0000019617',
              ISSUERNAME: 'Some "Other" Co',
              ISSUERTRADINGSYMBOL: 'SOME',
              AFF10B5ONE: 'true',
            },
          },
          {
            ...{
              ACCESSION_NUMBER: '0000000002-25-000001',
              FILING_DATE: '01-MAY-2025',
              PERIOD_OF_REPORT: '01-MAY-2025',
              DOCUMENT_TYPE: '4',
            },
            ...{ ISSUERCIK: '0001034665', ISSUERNAME: 'No Bank', ISSUERTRADINGSYMBOL: 'NONE' },
          },
        ],
        'REPORTINGOWNER.tsv': [
          {
            ...{ ACCESSION_NUMBER: accession, RPTOWNERCIK: '0000000077', RPTOWNERNAME: 'DOE JANE' },
            ...{ RPTOWNER_RELATIONSHIP: 'Director,Officer', RPTOWNER_TITLE: 'CEO' },
          },
          { ACCESSION_NUMBER: '0000000002-25-000001', RPTOWNERCIK: '0000019617', RPTOWNERNAME: 'JPMORGAN' },
        ],
        'NONDERIV_TRANS.tsv': [
          {
            ...{ ...all, ...trade, NONDERIV_TRANS_SK: '4711', TRANS_CODE: 'P', TRANS_SHARES: '1000' },
            ...{ TRANS_PRICEPERSHARE: '10.5', SHRS_OWND_FOLWNG_TRANS: '1000' },
          },
          {
            ...all,
            ...trade,
            ACCESSION_NUMBER: '0000000002-25-000001',
            NONDERIV_TRANS_SK: '4712',
            TRANS_CODE: 'J',
          },
        ],
        'NONDERIV_HOLDING.tsv': [
          {
            ...{ ...all, NONDERIV_HOLDING_SK: '4711', SHRS_OWND_FOLWNG_TRANS: '400' },
            ...{ DIRECT_INDIRECT_OWNERSHIP: 'I', NATURE_OF_OWNERSHIP: 'By trust' },
          },
        ],
        'DERIV_TRANS.tsv': [
          {
            ...{ ...all, ...trade, DERIV_TRANS_SK: '99', SECURITY_TITLE: 'Option', CONV_EXERCISE_PRICE: '4' },
            ...{
              TRANS_CODE: 'A',
              TRANS_SHARES: '9',
              TRANS_PRICEPERSHARE: '0',
              UNDLYNG_SEC_TITLE: 'Common Stock',
            },
            ...{ UNDLYNG_SEC_SHARES: '9', SHRS_OWND_FOLWNG_TRANS: '9' },
          },
        ],
        'FOOTNOTES.tsv': [{ ACCESSION_NUMBER: accession, FOOTNOTE_ID: 'F1', FOOTNOTE_TXT: 'A "note".' }],
      }),
    ).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
  )
  await writeFile(join(folder, '2025q2_form345.zip'), zip)
  const loaded = await load('sec-ownership', [join(folder, '2025q2_form345.zip')])
  t.match(loaded.editions, [{ status: 'published', rowsRejected: 0 }])
  t.strictSame(without(await data(url)), before, 'in place of the document, and not beside it')
})

t.test('a folder of the archive names the accession number, and a file must', async (t) => {
  const app = await ratesApp(t)
  const folder = await temporaryFolder(t)
  const form = ownershipForm({ transactions: [{ code: 'P', shares: '1', price: '1', after: '1' }] })
  const zip = zipOf([
    ['edgar/0000000001-25-000001/primary_doc.xml', Buffer.from(form)],
    ['edgar/000000000125000002/primary_doc.xml', Buffer.from(form)],
  ])
  await writeFile(join(folder, 'forms.zip'), zip)
  await app.load('sec-ownership', [join(folder, 'forms.zip')])
  t.strictSame(await app.sql('SELECT accession_number FROM sec_insider_filings ORDER BY 1'), [
    { accession_number: '0000000001-25-000001' },
    { accession_number: '0000000001-25-000002' },
  ])
  const outcome = await app.loadText('sec-ownership', form, 'form4.xml')
  t.match(outcome.editions, [
    { status: 'failed', reason: /form4\.xml: tells no accession number: expected one in the name/ },
  ])
})
