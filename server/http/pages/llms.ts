import { API_ROOT, catalog, categories } from '../../catalog/catalog.ts'
import type { Dataset } from '../../catalog/define.ts'
import { MCP_PATH } from '../paths.ts'

/** `llms.txt` (llmstxt.org): what is here and where to read on, for a model that comes by. */
export function llmsText(datasets: ReadonlyMap<string, Dataset>): string {
  const lines = [
    '# US banking history',
    '',
    '> One API over the history of US banks, credit unions and holding companies: Call Reports, UBPR, FDIC, NIC, NCUA, SEC and Federal Reserve files.',
    '',
    `Everything is \`GET\` under ${API_ROOT}/ and answers JSON, CSV, Arrow, Parquet and Excel (\`format=\`). Amounts are thousands of US dollars, ratios percent; \`meta.units\` says the unit of each column. Errors are problem documents that name what is wrong and what is allowed. Tools for models: ${MCP_PATH} (Model Context Protocol, streamable HTTP).`,
    '',
    '## Docs',
    '',
    `- [All datasets with parameters and columns](/llms-full.txt)`,
    `- [OpenAPI](${API_ROOT}/openapi.json)`,
    `- [Metrics](${API_ROOT}/reference/metrics/)`,
    `- [Keys, tiers and limits](/docs/access)`,
    `- [Errors](/docs/errors)`,
  ]
  for (const category of categories) {
    lines.push('', `## ${category}`, '')
    for (const entry of catalog.filter((one) => one.category === category)) {
      const dataset = datasets.get(entry.key)
      if (dataset) lines.push(`- [${entry.name}](/docs/${entry.key}): ${dataset.summary} ${entry.tier}.`)
    }
  }
  return `${lines.join('\n')}\n`
}
