/** The reference of the settings as Markdown, from the one table of them alone: `docs/settings.md`. */
import { settings } from './config.ts'

/** One page: every variable of the environment with its form, its default and its meaning. */
export function settingsReference(): string {
  const rows = Object.entries(settings).map(([name, { type, default: fallback, doc }]) =>
    row(`\`${name}\``, type, shown(fallback), doc),
  )
  return [
    '# Settings',
    '',
    'Settings come from the environment; an empty variable counts as not set. A wrong one stops the start with a line that',
    'names it, its value and what was expected. Generated from `server/config.ts`',
    '(`npx tap test/settings.test.ts --snapshot`); a test holds it true.',
    '',
    '| setting | form | default | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** As one would write it in the environment. */
function shown(value: string | number | boolean | null): string {
  if (value === '' || value === null) return 'empty'
  return `\`${typeof value === 'boolean' ? Number(value) : value}\``
}

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
