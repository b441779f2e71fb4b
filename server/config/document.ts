/** The reference of the settings as Markdown, generated from their declarations: `docs/settings.md`. */
import type { Setting } from './kinds.ts'
import { groups, sourceSettings } from './settings.ts'

/** One page: every environment variable with its form, default and meaning. */
export function settingsReference(): string {
  const ofEachSource = Object.entries(sourceSettings).map(
    ([stem, setting]) => [`${stem}<KEY>`, { ...setting, default: '' }] as const,
  )
  return [
    '# Settings',
    '',
    'Settings come from the environment; an empty variable counts as not set. A wrong one stops the start with a line that',
    'names it, its value and what was expected. Generated from `server/config/`',
    '(`npx tap test/settings.test.ts --snapshot`); a test keeps it up to date.',
    ...Object.entries(groups).flatMap(([title, group]) => table(title, Object.entries(group))),
    ...table('Of each source', ofEachSource),
    '',
  ].join('\n')
}

const table = (title: string, settings: readonly (readonly [string, Setting<unknown>])[]): string[] => [
  '',
  `## ${title}`,
  '',
  '| setting | form | default | meaning |',
  '|---|---|---|---|',
  ...settings.map(([name, { type, default: fallback, doc }]) =>
    row(`\`${name}\``, type, shown(fallback), doc),
  ),
]

/** As one would write it in the environment. */
function shown(value: unknown): string {
  if (value === '' || value === null || (Array.isArray(value) && value.length === 0)) return 'empty'
  return `\`${typeof value === 'boolean' ? Number(value) : value}\``
}

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
