/** The card of the failure model: what it learned from, how it did on quarters that it had not seen, and what it weighs. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { figure, percent, quarter } from '../lib/numbers.ts'
import { Calibration } from '../pictures/calibration.tsx'
import { Tiles } from './headline.tsx'
import { List } from './list.tsx'

type Card = Datasets['risk-model']['row']

const parts: Readonly<Record<string, string>> = {
  validation: 'Later quarters of the window',
  test: 'Quarters after the window',
}

const ratio = (value: number | null | undefined): string => value?.toFixed(3) ?? '–'

export function Model({ card }: { card: Card }) {
  const best = card.measures.find(({ part }) => part === 'test') ?? card.measures[0]
  const labels = new Map(card.feature_definitions.map((one) => [one.feature, one.label]))
  const heaviest = [...card.features].sort((a, b) => Math.abs(b.effect ?? 0) - Math.abs(a.effect ?? 0))
  const calibrated = best && (best.levels.length > 1 ? best.levels : best.calibration)
  return (
    <>
      <p class="lede">
        The probability that a bank fails within a year, learned from its filings
        {card.first_quarter && card.last_quarter
          ? ` of ${quarter(card.first_quarter)} to ${quarter(card.last_quarter)}`
          : ''}
        .
      </p>
      <Tiles
        tiles={[
          { key: 'failed', label: 'Failed banks learned from', unit: 'count', value: card.failed_banks },
          { key: 'banks', label: 'Banks learned from', unit: 'count', value: card.banks },
          ...(best
            ? [
                { key: 'auc', label: 'Area under the operating curve', unit: 'ratio', value: best.auc },
                { key: 'skill', label: 'Brier skill', unit: 'ratio', value: best.brier_skill },
              ]
            : []),
        ]}
      />
      {best && calibrated ? (
        <div class="halves">
          <Calibration name="Calibration of the model" bins={calibrated} />
          <Measured card={card} best={best} />
        </div>
      ) : (
        <p class="mild">Too little was held to try it on quarters that it had not seen.</p>
      )}
      <details>
        <summary>What it weighs: {card.features.length} features</summary>
        <List
          name="What the model weighs"
          heads={['Feature', 'Effect of a standard deviation', 'Coefficient', 'Its standard error']}
          rows={heaviest.map((one) => ({
            key: one.feature,
            cells: [
              labels.get(one.feature) ?? one.feature,
              ratio(one.effect),
              ratio(one.coefficient),
              ratio(one.standard_error),
            ],
          }))}
        />
      </details>
      <p class="mild">
        Not for: {card.not_for} <a href="/docs/risk-model">The whole card</a>
      </p>
    </>
  )
}

function Measured({ card, best }: { card: Card; best: Card['measures'][number] }) {
  return (
    <div>
      <h3>How it did</h3>
      <List
        name="How well it foretold"
        heads={['On', 'Bank quarters', 'Before a failure', 'Area', 'Calibration error']}
        rows={card.measures.map((one) => ({
          key: one.part,
          cells: [
            parts[one.part] ?? one.part,
            figure(one.observations, 'count'),
            figure(one.failures, 'count'),
            <span key="auc" title={`${percent(95)} interval ${ratio(one.auc_low)} to ${ratio(one.auc_high)}`}>
              {ratio(one.auc)}
            </span>,
            ratio(one.calibration_error),
          ],
        }))}
      />
      {best.top.length > 0 && (
        <>
          <h3>If the riskiest had been listed</h3>
          <List
            name="Of the riskiest"
            heads={['Of all banks', 'Failures caught', 'Of those listed, failed']}
            rows={best.top.map((one) => ({
              key: String(one.share),
              cells: [
                `riskiest ${one.share === null ? '–' : percent(one.share)}`,
                figure(one.recall, 'percent'),
                figure(one.precision, 'percent'),
              ],
            }))}
          />
        </>
      )}
    </div>
  )
}
