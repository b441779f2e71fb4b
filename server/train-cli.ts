/** `npm run train`: fits the failure model anew from what is loaded, and publishes it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import pino from 'pino'
import { parseQuarter, quarterEnd } from '../sql/quarter.ts'
import { derive } from '../sql/universes/index.ts'
import { runCommand } from './command.ts'
import { readConfig } from './config/config.ts'
import { beginBuild } from './engine/build.ts'
import { BuildLocked } from './engine/build-lock.ts'
import { MigrationError } from './engine/migrate.ts'
import { openEngine } from './engine/open.ts'
import { currentPublication } from './engine/publications.ts'
import { progressLines } from './progress.ts'
import { publishing } from './publishing.ts'
import { NothingToTrain, picturesOf, type Training, trainModel } from './training.ts'

class NoData extends Error {}

const reportDate = (text: string): string => {
  const quarter = parseQuarter(text)
  if (quarter === undefined) throw new InvalidArgumentError('expected a quarter, as in 2013Q1 or 2013-03-31.')
  return quarterEnd(quarter)
}

const program = new Command('npm run train --')
  .description(
    'Fits the failure model from the quarters and failures that are loaded, and publishes its scores.',
  )
  .option(
    '--until <quarter>',
    'last quarter to learn from; default: a quarter of those with an outcome is left to test the model',
    reportDate,
  )
  .option('--pictures <folder>', 'writes the curves of the model there, as SVG')
  .option('--json', 'the model card as the last line')
  .exitOverride()
  .action(async ({ until, pictures, json }: { until?: string; pictures?: string; json?: boolean }) => {
    const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
    const engine = await openEngine(readConfig(process.env), log)
    try {
      const base = await currentPublication(engine)
      if (!base) throw new NoData('No data is loaded: npm run load -- --help lists the sources.')
      const build = await beginBuild(engine, { ...publishing, synthetic: base.synthetic, what: 'train' }, log)
      try {
        await derive(build, [], progressLines('deriving'))
        const started = performance.now()
        const training = await trainModel(build, until ?? null)
        const seconds = (performance.now() - started) / 1000
        // before anything is published: the folder may not be writable
        if (pictures !== undefined) await writePictures(pictures, training)
        let version = base.dataVersion
        if (training.changed) {
          await derive(build, [], progressLines('scoring'))
          version = (await build.publish()).dataVersion
        } else await build.discard()
        process.stdout.write(
          json
            ? `${JSON.stringify({ version: training.version, ...training.card })}\n`
            : `${summary(training, seconds)}; data version ${version}\n`,
        )
      } catch (error) {
        await build.discard().catch(() => {})
        throw error
      }
    } finally {
      await engine.close()
    }
  })

async function writePictures(folder: string, { card }: Training): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, svg] of Object.entries(await picturesOf(card))) await writeFile(join(folder, name), svg)
}

function summary({ version, changed, card }: Training, seconds: number): string {
  const test = card.measures.find(({ part }) => part === 'test')
  const five = test?.top.find(({ share }) => share === 5)
  return [
    `model ${version}${changed ? '' : ' is in force already'}: ${card.observations} bank quarters from ${card.first_quarter} to ${card.last_quarter}, ${card.failures} before failures of ${card.failed_banks} banks, ${seconds.toFixed(1)} s`,
    test
      ? `tested from ${card.tested_from} to ${card.tested_until}: AUC ${test.auc?.toFixed(4)} (${test.auc_low?.toFixed(4)} to ${test.auc_high?.toFixed(4)}), ${five?.recall?.toFixed(1)} % of the failures in the top 5 %, calibration error ${test.calibration_error.toFixed(5)}`
      : 'no later quarter to test it',
  ].join('; ')
}

process.exitCode = await runCommand(program, process.argv.slice(2), {
  expected: [NothingToTrain, NoData, BuildLocked, MigrationError],
})
