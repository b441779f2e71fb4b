export interface Samples {
  /** Of the one sample with this name and all of these labels; undefined where there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined
  /** Of all samples with this name and these labels. */
  sum(name: string, labels?: Record<string, string>): number
  /** Names with their labels. */
  readonly names: string[]
}

/** Reads Prometheus' text form. @throws where a line is none of it */
export function samples(text: string): Samples {
  const all = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`no sample: ${line}`)
      return { name, labels, value: Number(value) }
    })
  const found = (name: string, labels: Record<string, string> = {}) =>
    all.filter(
      (one) =>
        one.name === name &&
        Object.entries(labels).every(([label, value]) => `,${one.labels},`.includes(`,${label}="${value}",`)),
    )
  return {
    value(name, labels) {
      const [first, second] = found(name, labels)
      if (second) throw new Error(`${name} has more than one sample with these labels`)
      return first?.value
    },
    sum: (name, labels) => found(name, labels).reduce((total, { value }) => total + value, 0),
    names: all.map(({ name, labels }) => `${name}{${labels}}`).sort(),
  }
}
