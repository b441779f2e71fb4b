/** Training of the failure model from what a build holds. */

import { riskFeatures, riskFeaturesHash } from '../sql/formula/metrics/failure-risk.ts'
import { hashOf } from '../sql/hash.ts'
import { modelInForce } from '../sql/risk/model.ts'
import { panelSql, withFeatures } from '../sql/risk/panel.ts'
import { banks } from '../sql/universes/bank/index.ts'
import { type DeriveProgress, derive } from '../sql/universes/index.ts'
import { openWorkers } from '../workers/pool.ts'
import type { Trained, Untrained } from '../workers/risk-model/train.ts'
import type { Build } from './engine/build.ts'

export interface Training {
  version: string
  /** False where the same data gave the model that is in force already. */
  changed: boolean
  card: Trained['card']
}

/** No bank is known to have failed, or no quarter has an outcome yet: the message says which. */
export class NothingToTrain extends Error {
  override name = 'NothingToTrain'
}

/**
 * Trains the failure model from the pivoted filings and the failures of a build, and makes it the one in force there. Quarters
 * that were derived already are to be derived again then, as their scores are others.
 * @param until last report date that the model learns from; null: some quarters are left to test it
 * @throws NothingToTrain
 */
export async function trainModel({ client }: Build, until: string | null): Promise<Training> {
  const panel = await withFeatures(client, async () =>
    numbersOf((await client.exec({ query: `${panelSql}\nFORMAT RowBinary` })).stream),
  )
  const workers = openWorkers({ maxThreads: 1 })
  try {
    const features = riskFeatures.map(({ key }) => key)
    const trained = await workers.run<Trained | Untrained>('risk-model', 'train', { panel, features, until })
    if ('nothing' in trained) throw new NothingToTrain(trained.nothing)
    const { coefficients, card } = trained
    const version = `${card.last_quarter.slice(0, 7)}-${hashOf([riskFeaturesHash, coefficients]).slice(0, 8)}`
    const known = await client.query({
      query: `SELECT version, card FROM ${modelInForce}`,
      format: 'JSONEachRow',
    })
    const [inForce] = await known.json<{ version: string; card: string }>()
    // the same coefficients may have been tested on more since
    if (inForce?.version === version && inForce.card === JSON.stringify(card))
      return { version, changed: false, card }
    await client.insert({
      table: 'risk_models',
      values: [
        {
          version,
          trained_at: new Date().toISOString().replace('T', ' ').replace('Z', ''),
          features: riskFeaturesHash,
          coefficients,
          card: JSON.stringify(card),
        },
      ],
      format: 'JSONEachRow',
    })
    return { version, changed: true, card }
  } finally {
    await workers.close()
  }
}

/** The curves of a card, SVG by file name. */
export async function picturesOf(card: Training['card']): Promise<Record<string, string>> {
  const workers = openWorkers({ maxThreads: 1 })
  try {
    return await workers.run('risk-model', 'draw', card)
  } finally {
    await workers.close()
  }
}

/** Sources whose rows the model learns from. */
export const learntFrom: readonly string[] = ['ffiec-call-report', 'fdic-failures', 'nic-transformations']

/**
 * Trains the model of a build whose quarters are derived, and derives again what it scores.
 * @returns null where there is nothing to learn from yet
 */
export async function trainAndScore(
  build: Build,
  progress?: DeriveProgress,
  options: { atOnce?: number } = {},
): Promise<Training | null> {
  const training = await trainIfPossible(build)
  if (training?.changed) await derive(build, [], progress, options)
  return training
}

/** Derives everything with the scores of a model that is trained on the way: nothing is derived twice. */
export async function deriveAndScore(
  build: Build,
  progress?: DeriveProgress,
  options: { atOnce?: number } = {},
): Promise<void> {
  await derive(build, 'all', progress, {
    ...options,
    prepared: async (universe) => universe === banks && trainIfPossible(build),
  })
}

async function trainIfPossible(build: Build): Promise<Training | null> {
  try {
    return await trainModel(build, null)
  } catch (error) {
    if (error instanceof NothingToTrain) return null
    throw error
  }
}

/** Numbers of RowBinary, in memory that a thread reads without a copy. */
async function numbersOf(stream: AsyncIterable<unknown>): Promise<Float64Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return new Float64Array(shared)
}
