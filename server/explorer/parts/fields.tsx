/** Fields of a screen: a choice of a few, and a metric found by its name. */
import { type Catalog, metricsLike } from '../lib/metrics.ts'
import { Complete } from './complete.tsx'

export function Choice({
  label,
  all,
  value,
  options,
  onChoice,
}: {
  label: string
  all: string
  value: string
  /** Values with their names. */
  options: readonly (readonly [value: string, name: string])[]
  onChoice: (value: string) => void
}) {
  return (
    <label class="choice">
      {label}{' '}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        <option value="">{all}</option>
        {value !== '' && !options.some(([one]) => one === value) && <option value={value}>{value}</option>}
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

export function MetricField({
  label,
  metrics,
  onPick,
}: {
  label: string
  metrics: Catalog
  onPick: (metric: string) => void
}) {
  return (
    <Complete
      label={label}
      placeholder={`${label} …`}
      find={(text) => metricsLike(metrics, text)}
      keyOf={({ key }) => key}
      onPick={({ key }) => onPick(key)}
      show={({ label: name, category }) => (
        <>
          {name} <span class="mild">{category.replaceAll('-', ' ')}</span>
        </>
      )}
    />
  )
}
