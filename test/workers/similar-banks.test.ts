import t from 'tap'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { openWorkers } from '../../workers/pool.ts'
import { features, similarUniverse } from '../../workers/similar-banks/features.ts'
import { placeDistance, stateIndex, UNKNOWN_STATE } from '../../workers/similar-banks/geography.ts'
import { answer, nearest, prepare, standardise, type Universe } from '../../workers/similar-banks/task.ts'

/** A small linear congruential generator: the same banks at every run. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const described = [{ group: 'size' }, { group: 'loan_mix' }, { group: 'loan_mix' }, { group: 'funding_mix' }]

function someBanks(count: number) {
  const next = random(7)
  const column = (missing: number, scale: number) =>
    Array.from({ length: count }, () => (next() < missing ? null : next() * scale))
  return {
    rssd_id: Array.from({ length: count }, (_, bank) => 1000 + ((bank * 7919) % 100_003)),
    hq_state: Array.from(
      { length: count },
      () => ['GA', 'FL', 'TX', 'CA', '', null][Math.floor(next() * 6)]!,
    ),
    log_assets: column(0, 12),
    cre: column(0.1, 1),
    farm: column(0.3, 1),
    core: column(0.05, 100),
  }
}

const encode = (columns: object) => new TextEncoder().encode(JSON.stringify(Object.values(columns)))

t.test('nearest agrees with measuring every pair and sorting', async (t) => {
  const banks = someBanks(400)
  const universe = prepare(encode(banks), described)
  const scores = (bank: number) => [...universe.scores.subarray(bank * 4, bank * 4 + 4)]
  const meanSquare = (pairs: [number, number][]) => {
    const known = pairs.filter(([a, b]) => !Number.isNaN(a) && !Number.isNaN(b))
    return known.length === 0 ? 2 : known.reduce((sum, [a, b]) => sum + (a - b) ** 2, 0) / known.length
  }
  const own = 17
  const brute = banks.rssd_id
    .map((id, bank) => {
      const [a, b] = [scores(own), scores(bank)]
      const at = (...places: number[]) => meanSquare(places.map((place) => [a[place]!, b[place]!]))
      const place = placeDistance(stateIndex(banks.hq_state[own]!), stateIndex(banks.hq_state[bank]!))
      return { id, bank, distance: Math.sqrt((at(0) + at(1, 2) + at(3) + 0.5 * place ** 2) / 3.5) }
    })
    .filter(({ bank }) => bank !== own)
    .sort((a, b) => a.distance - b.distance || a.id - b.id)
    .slice(0, 25)
  const found = nearest({ universe, rssdId: banks.rssd_id[own]!, n: 25 })
  t.strictSame(
    found.rssdIds,
    brute.map(({ id }) => id),
  )
  for (const [place, { distance }] of brute.entries()) {
    t.ok(Math.abs(found.distances[place]! - distance) < 1e-12, `distance ${place}`)
  }
  t.strictSame(Object.keys(found.parts), ['size', 'loan_mix', 'funding_mix', 'geography'])
  for (const [place, distance] of found.distances.entries()) {
    const part = (name: string) => found.parts[name]![place]! ** 2
    const whole = (part('size') + part('loan_mix') + part('funding_mix') + 0.5 * part('geography')) / 3.5
    t.ok(Math.abs(Math.sqrt(whole) - distance) < 1e-12, 'the parts make up the distance')
  }
})

t.test('ties go to the smaller RSSD ID, whatever the order of the rows', async (t) => {
  const same = { hq_state: Array(5).fill('GA'), log_assets: Array(5).fill(9) }
  const one = [{ group: 'size' }]
  for (const rssd_id of [
    [50, 30, 10, 40, 20],
    [20, 40, 50, 10, 30],
  ]) {
    const universe = prepare(encode({ rssd_id, ...same }), one)
    t.strictSame(nearest({ universe, rssdId: 30, n: 3 }).rssdIds, [10, 20, 40])
  }
})

t.test('edges: unknown bank, no neighbours asked for, fewer banks than asked for', async (t) => {
  const universe = prepare(encode(someBanks(5)), described)
  const known = universe.rssdIds[0]!
  t.strictSame(nearest({ universe, rssdId: 4_000_000_000, n: 3 }).rssdIds, [])
  t.strictSame(nearest({ universe, rssdId: known, n: 0 }).rssdIds, [])
  t.equal(nearest({ universe, rssdId: known, n: 50 }).rssdIds.length, 4)
  t.throws(
    () => prepare(encode(someBanks(5)), [{ group: 'size' }]),
    /expected rssd_id, hq_state and 1 features/,
  )
})

t.test('standardise gives mean 0 and deviation 1, holds the tails and leaves gaps', async (t) => {
  const next = random(3)
  const values = Float64Array.from({ length: 1000 }, (_, at) => (at % 50 === 0 ? Number.NaN : next()))
  values[1] = 1e9
  const scores = standardise(values, 0.01)
  const present = scores.filter((score) => !Number.isNaN(score))
  const mean = present.reduce((sum, score) => sum + score, 0) / present.length
  const variance = present.reduce((sum, score) => sum + (score - mean) ** 2, 0) / present.length
  t.ok(Math.abs(mean) < 1e-9)
  t.ok(Math.abs(variance - 1) < 1e-9)
  t.ok(scores[1]! < 2, 'the odd one out is held to the 99th percentile')
  t.ok(Number.isNaN(scores[50]!))
  t.strictSame([...standardise(Float64Array.of(5, 5, 5), 0)], [0, 0, 0], 'no spread, no difference')
})

t.test('places: same state, same Census division, elsewhere', async (t) => {
  const between = (a: string, b: string) => placeDistance(stateIndex(a), stateIndex(b))
  t.equal(between('GA', 'GA'), 0)
  t.equal(between('GA', 'FL'), 1)
  t.equal(between('GA', 'AL'), 2)
  t.equal(between('PR', 'GU'), 1)
  t.equal(stateIndex('ZZ'), UNKNOWN_STATE)
  t.equal(between('', ''), 2, 'two unknown places are not the same place')
})

t.test(
  'a step prepares once for equal keys, in shared memory, and answers as the functions do',
  async (t) => {
    const workers = openWorkers({ maxThreads: 1 })
    t.teardown(() => workers.close())
    const columns = Object.fromEntries(
      ['rssd_id', 'hq_state', ...Object.keys(features)].map((name, place) => {
        const { rssd_id, hq_state, cre } = someBanks(300)
        return [
          name,
          place === 0 ? rssd_id : place === 1 ? hq_state : cre.slice(place).concat(cre.slice(0, place)),
        ]
      }),
    )
    const json = encode(columns)
    let reads = 0
    const read = async () => {
      reads++
      return json
    }
    const here = prepare(json)
    const shared = await workers.run<Universe>('similar-banks', 'prepare', json)
    t.type(shared.scores.buffer, SharedArrayBuffer)
    t.strictSame(shared.scores, here.scores)
    const ask = (key: string, rssd_id: number) =>
      workers.step({ task: 'similar-banks', key, read, parameters: { rssd_id, n: 10 } })
    const ids = [here.rssdIds[3]!, here.rssdIds[4]!]
    const found = await Promise.all(ids.map((id) => ask('2019-09-30', id)))
    t.equal(reads, 1)
    for (const [place, rssd_id] of ids.entries()) {
      t.strictSame(found[place], answer({ prepared: here, parameters: { rssd_id, n: 10 } }))
    }
    await ask('2019-12-31', ids[0]!)
    t.equal(reads, 2, 'another key is read by itself')
  },
)

t.test('a failed preparation is not kept', async (t) => {
  const workers = openWorkers({ maxThreads: 1 })
  t.teardown(() => workers.close())
  const bad = { task: 'similar-banks', key: 'k', parameters: { rssd_id: 1 } }
  await t.rejects(
    workers.step({ ...bad, read: async () => new TextEncoder().encode('[[1],[2]]') }),
    /features/,
  )
  await t.rejects(
    workers.step({ ...bad, read: () => Promise.reject(new Error('engine is down')) }),
    /engine is down/,
  )
})

t.test('the universe reads every feature of every group', async (t) => {
  const groups = new Set(Object.values(features).map(({ group }) => group))
  t.strictSame(groups, new Set(['size', 'loan_mix', 'funding_mix']))
  const known = new Set(metrics.map(({ key }) => key))
  for (const [name, { sql }] of Object.entries(features)) {
    t.ok(similarUniverse('{as_of:Date}').includes(sql), name)
    t.ok(name === 'log_total_assets' || known.has(sql), `${sql} is a metric of the catalog`)
  }
})
