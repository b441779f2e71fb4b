// What `npm ci` installs: without a warning on the Nodes that the README names, and from npm's own registry.
import { readFile } from 'node:fs/promises'
import { satisfies } from 'semver'
import t from 'tap'

interface Locked {
  version?: string
  resolved?: string
  engines?: { node?: string }
  hasInstallScript?: boolean
}

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'))
const { engines, allowScripts } = await read('package.json')
const { packages } = (await read('package-lock.json')) as { packages: Record<string, Locked> }
const installed = Object.entries(packages).filter(([path]) => path !== '')

t.test('every package is made for each Node that the project is', async (t) => {
  const oldest = engines.node.replace('>=', '')
  const wrong = installed.filter(
    ([, { engines: of }]) =>
      of?.node && !['20.20.2', `${oldest}.0`, '24.0.0'].every((node) => satisfies(node, of.node!)),
  )
  t.strictSame(
    wrong.map(([path, { version, engines: of }]) => `${path} ${version}: ${of!.node}`),
    [],
  )
  t.ok(installed.length > 100)
})

t.test('whether a package runs a script when it is installed was decided', async (t) => {
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''))
  t.strictSame(
    names.filter((name) => !(name in allowScripts)),
    [],
  )
  t.ok(names.length > 0)
})

t.test('the lock names no other registry', async (t) => {
  const addresses = installed.flatMap(([, { resolved }]) => resolved ?? [])
  t.strictSame(
    addresses.filter((address) => !address.startsWith('https://registry.npmjs.org/')),
    [],
  )
})
