/** Suggests the path that a wrong one was likely meant to be. */

import { suggest } from '../../sql/suggest.ts'
import { API_ROOT, catalog } from '../catalog/catalog.ts'

/** Where the Model Context Protocol is spoken: the one path that is posted to. */
export const MCP_PATH = '/mcp'

/** Pages of the explorer, as routes. */
export const EXPLORER_PATHS = [
  '/',
  '/screen',
  '/screen/credit-unions',
  '/screen/holding-companies',
  '/bank/:id',
  '/bank/:id/ubpr',
  '/bank/:id/record',
  '/bank/:id/branches',
  '/bank/:id/structure',
  '/credit-union/:id',
  '/credit-union/:id/branches',
  '/holding-company/:id',
  '/holding-company/:id/structure',
  '/failures',
  '/rates',
  '/industry',
  '/compare',
  '/sources',
]

const pages = [
  MCP_PATH,
  '/docs',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/access',
  '/docs/errors',
  '/docs/catalog',
  '/health/live',
  '/health/ready',
  `${API_ROOT}/openapi.json`,
  `${API_ROOT}/account/`,
  ...EXPLORER_PATHS.slice(1).filter((path) => !path.includes(':')),
]
const templates = [...catalog.map(({ path }) => `${API_ROOT}${path}`), ...pages].map(segmentsOf)

/**
 * The path of this server that is likest to a path where nothing is: as many segments, each equal or a near miss,
 * `{…}` standing for any. A left-out or mistyped `/api/v1` and doubled slashes are seen through.
 */
export function likelyPath(path: string): string | undefined {
  const given = segmentsOf(path.slice(0, 500))
  const rest = given.slice(given[0] === 'api' ? (/^v\d+$/.test(given[1] ?? '') ? 2 : 1) : 0)
  const root = segmentsOf(API_ROOT)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const template of templates) {
    const wanted = template[0] === 'api' ? [...root, ...rest] : given
    const misses = missesOf(wanted, template)
    if (misses === undefined || misses >= least) continue
    least = misses
    const filled = template.map((segment, i) => (segment.startsWith('{') ? wanted[i] : segment))
    best = `/${filled.join('/')}${template[0] === 'api' && !template.at(-1)!.includes('.') ? '/' : ''}`
  }
  return best
}

/** How many segments differ a little; undefined where one differs much. A value in braces counts as a small miss. */
function missesOf(given: readonly string[], template: readonly string[]): number | undefined {
  if (given.length !== template.length) return undefined
  let misses = 0
  for (const [i, segment] of template.entries()) {
    const one = given[i]!
    if (segment === one) continue
    if (segment === '{rssd_id}' || segment === '{cu_number}') {
      if (!/^\d{1,10}$/.test(one)) return undefined
    } else if (segment.startsWith('{')) misses += 0.5
    else if (suggest(one, [segment]) === segment) misses += 1
    else return undefined
  }
  return misses
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}
