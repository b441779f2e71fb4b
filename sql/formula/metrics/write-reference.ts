import { writeFileSync } from 'node:fs'
import { metricReference } from './reference.ts'

writeFileSync(new URL('../../../docs/metrics.md', import.meta.url), metricReference())
