// Which statements of a build are about tables that a cluster divides.
import t from 'tap'
import { definitionIn, divided, viewIn, wordsRead } from '../../server/engine/cluster/statement.ts'

t.test('what is divided follows from the universes', async (t) => {
  t.strictSame(
    ['call_report_items', 'bank_rows', 'state_quarters', 'ubpr_rows', 'credit_union_figures'].map((table) =>
      divided.get(table),
    ),
    ['rssd_id', 'rssd_id', 'rssd_id', 'rssd_id', 'cu_number'],
  )
  for (const whole of ['filers', 'banks', 'cohort_benchmarks', 'ubpr_peers', 'failed_banks'])
    t.notOk(divided.has(whole), whole)
})

t.test('definitions of divided tables, and of no others', async (t) => {
  const of = (sql: string) => {
    const { verb, table, columns } = definitionIn(sql) ?? {}
    return verb && `${verb} ${table}${columns ? ' columns' : ''}`
  }
  t.equal(of('CREATE TABLE IF NOT EXISTS bank_rows (rssd_id UInt32)'), 'CREATE bank_rows')
  t.equal(of('-- what it is\n\n  create or replace table `bank_rows` ENGINE = Memory'), 'CREATE bank_rows')
  t.equal(of("ALTER TABLE bank_figures DROP PARTITION '2020-03-31'"), 'ALTER bank_figures')
  t.equal(of('ALTER TABLE call_report_items ADD COLUMN part String'), 'ALTER call_report_items columns')
  t.equal(of('DROP TABLE IF EXISTS ubpr_figures SYNC'), 'DROP ubpr_figures')
  t.equal(of('TRUNCATE TABLE bank_rows'), 'TRUNCATE bank_rows')
  t.equal(of('CREATE TABLE filers (report_date Date)'), undefined)
  t.equal(of('INSERT INTO bank_rows SELECT * FROM bank_figures'), undefined)
  t.equal(of("SELECT 'ALTER TABLE bank_rows'"), undefined)
})

t.test('what a statement reads: not what it inserts into', async (t) => {
  t.strictSame(wordsRead('-- text\nINSERT INTO bank_rows SELECT a FROM filers'), [
    'SELECT',
    'a',
    'FROM',
    'filers',
  ])
  t.equal(viewIn('-- text\nCREATE OR REPLACE VIEW bank_ranks AS SELECT 1'), 'bank_ranks')
  t.equal(viewIn('CREATE TABLE bank_ranks (a UInt8)'), undefined)
})
