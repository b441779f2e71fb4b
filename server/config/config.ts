import { Expected, type Setting } from './kinds.ts'
import { settings, sourceSettings } from './settings.ts'

type Settings = typeof settings
type SourceSettings = typeof sourceSettings
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** The settings as code uses them: `DATA_DIR` is `dataDir`. */
export type Config = {
  readonly [Name in keyof Settings as Camel<Name>]: ReturnType<Settings[Name]['parse']>
} & {
  /** By what ends the name: `sourceUrl.get('FRED')`. */
  readonly [Name in keyof SourceSettings as Name extends `${infer Stem}_` ? Camel<Stem> : never]: ReadonlyMap<
    string,
    ReturnType<SourceSettings[Name]['parse']>
  >
}

/** One or more settings are wrong; the message has a line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly code = 'CONFIG'
}

/**
 * Reads the settings from an environment (`process.env`, or a test's own object). An empty variable counts as
 * not set.
 * @throws ConfigError naming every wrong setting, its value (never a secret's) and what was expected.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const read = (name: string, setting: Setting<unknown>): unknown => {
    const given = env[name]?.trim()
    if (given === undefined || given === '') return setting.default
    try {
      return setting.parse(given)
    } catch (error) {
      if (!(error instanceof Expected)) throw error
      problems.push(
        `${name} is ${setting.secret ? 'wrong' : JSON.stringify(given)}: expected ${error.message}`,
      )
      return setting.default
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) values[camelCase(name)] = read(name, setting)
  for (const [stem, setting] of Object.entries(sourceSettings)) {
    const names = Object.keys(env).filter((name) => name.startsWith(stem) && env[name]?.trim())
    const of = names.map((name) => [name.slice(stem.length), read(name, setting)] as const)
    values[camelCase(stem.slice(0, -1))] = new Map(of)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return values as unknown as Config
}

/** `DATA_DIR` → `dataDir`. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
