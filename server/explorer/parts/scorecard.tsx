/** The scorecard of a bank: its components, and the metrics that drive them. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { exact, type Figure, figure, ordinal, percent } from '../lib/numbers.ts'
import { Wide } from './list.tsx'

type Card = Datasets['bank-scorecard']['row']

const weight = (value: Figure): string => (value == null ? '–' : percent(value, 0))

export function Scorecard({ card, onOpen }: { card: Card; onOpen: (metric: string) => void }) {
  return (
    <>
      <p>
        <b class="large">{card.grade ?? '–'}</b> {card.overall_score?.toFixed(0) ?? '–'} of 100 points
        {card.percentile !== null && (
          <span class="mild"> · {ordinal(card.percentile)} percentile of its cohort</span>
        )}
        {card.cap && <span class="mild"> · lowered by {card.cap}</span>}
      </p>
      <Wide name="Components of the scorecard">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Component</th>
              <th scope="col">Grade</th>
              <th scope="col">Points</th>
              <th scope="col">Weight</th>
              <th scope="col" class="meter-head">
                <span class="hidden">Points drawn</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {card.components.map((one) => (
              <tr key={one.component}>
                <th scope="row">{one.label}</th>
                <td>{one.grade ?? '–'}</td>
                <td>{one.score?.toFixed(0) ?? '–'}</td>
                <td>{weight(one.weight)}</td>
                <td class="meter-cell">
                  <meter
                    min={0}
                    max={100}
                    value={one.score ?? 0}
                    aria-label={`${one.label}: points of 100`}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <details>
        <summary>What drives it: {card.drivers.length} metrics</summary>
        <Wide name="What drives the scorecard">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col">Value</th>
                <th scope="col">Worst to best</th>
                <th scope="col">Points</th>
                <th scope="col">Weight</th>
              </tr>
            </thead>
            <tbody>
              {card.drivers.map((one) => (
                <tr key={`${one.component} ${one.metric}`}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => onOpen(one.metric)}>
                      {one.label}
                    </button>{' '}
                    <span class="mild">{one.component}</span>
                  </th>
                  <td title={exact(one.value, one.unit)}>{figure(one.value, one.unit)}</td>
                  <td class="mild">
                    {one.worst} to {one.best}
                  </td>
                  <td>{one.points?.toFixed(0) ?? '–'}</td>
                  <td>{weight(one.weight)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </details>
    </>
  )
}
