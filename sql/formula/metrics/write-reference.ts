import { writeFileSync } from 'node:fs'
import { metricReference } from './reference.ts'

for (const [name, page] of Object.entries(metricReference()))
  writeFileSync(new URL(`../../../docs/${name}`, import.meta.url), page)
