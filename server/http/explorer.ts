/**
 * The explorer, the pages that people look at: a shell of HTML for every address of it, and the script and the style that
 * esbuild makes of `server/explorer/`, named by their content.
 */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { suggest } from '../../sql/suggest.ts'
import { Problem } from '../errors.ts'
import type { Cache } from './cache/cache.ts'
import { READ, sendPage } from './cache/page.ts'
import { EXPLORER_PATHS } from './paths.ts'

/** Everything comes from this server, and nothing stands in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join(';')
const ASSETS = '/assets'
const FOR_EVER = 'public, max-age=31536000, immutable'
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/** Whether what is served now is invented, which a page says before it has read any of it. */
type Synthetic = () => boolean

interface Bundle {
  readonly shell: string
  /** By file name, which has the hash of the content in it. */
  readonly files: ReadonlyMap<string, Buffer>
}

let bundle: Promise<Bundle> | undefined

/** Made once a process, at the first listening or the first request. What failed is tried again. */
export function explorerBundle(): Promise<Bundle> {
  bundle ??= makeBundle().catch((error: unknown) => {
    bundle = undefined
    throw error
  })
  return bundle
}

/** A route for each address of the explorer, and one for its files. */
export function registerExplorer(
  app: FastifyInstance,
  { cache, synthetic }: { readonly cache: Cache; readonly synthetic: Synthetic },
): void {
  app.addHook('onListen', async () => {
    // a request says by itself that it failed
    explorerBundle().catch((error: unknown) => app.log.error({ err: error }, 'the explorer was not bundled'))
  })
  for (const path of EXPLORER_PATHS)
    app.route({
      ...{ method: READ, url: path },
      handler: async (request, reply) => {
        const shell = shellOf(await explorerBundle(), synthetic)
        reply.header('content-security-policy', POLICY)
        return sendPage(cache, request, reply, { contentType: 'text/html; charset=utf-8', make: () => shell })
      },
    })
  const sendFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const { file } = request.params as { file: string }
    const { files } = await explorerBundle()
    const content = files.get(file)
    if (!content) {
      const near = suggest(file.slice(0, 200), [...files.keys()])
      throw new Problem(
        'not-found',
        `there is no file “${file.slice(0, 100)}”${near ? `; it is ${ASSETS}/${near} now` : ''}`,
      )
    }
    const contentType = types[file.slice(file.lastIndexOf('.') + 1)]!
    return sendPage(cache, request, reply, { contentType, make: () => content, cacheControl: FOR_EVER })
  }
  app.route({ method: READ, url: `${ASSETS}/:file`, handler: sendFile })
}

/** Paths below which programs ask. */
const OF_PROGRAMS = /^\/(api|docs|health|mcp|assets)([/?]|$)/

/** What a browser shows where there is no page: the explorer, which says so. Undefined where no browser asks for one. */
export function lostPage(synthetic: Synthetic) {
  return ({ method, url, headers }: FastifyRequest, reply: FastifyReply) => {
    const asked = method === 'GET' || method === 'HEAD'
    if (!asked || !headers.accept?.includes('text/html') || OF_PROGRAMS.test(url)) return undefined
    return explorerBundle().then((bundle) =>
      reply
        .code(404)
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', vary: 'Accept' })
        .type('text/html; charset=utf-8')
        .send(shellOf(bundle, synthetic)),
    )
  }
}

const shellOf = ({ shell }: Bundle, synthetic: Synthetic): string =>
  synthetic() ? shell.replace('<title>', '<meta name="synthetic" content="1">\n<title>') : shell

async function makeBundle(): Promise<Bundle> {
  // a tenth of a second to read, which nothing but this is to wait for
  const { build, stop } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: ['main.tsx', 'style.css'],
    tsconfig: 'tsconfig.json',
    absWorkingDir: fileURLToPath(new URL('../explorer', import.meta.url)),
    outdir: '.',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // asked for by `Client.arrow` alone, which nothing here calls
    external: ['apache-arrow'],
    legalComments: 'linked',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  // its process is not needed again
  await stop()
  const nameOf = (path: string): string => path.slice(path.replaceAll('\\', '/').lastIndexOf('/') + 1)
  const files = new Map(
    outputFiles.map(({ path, contents }) => [nameOf(path), Buffer.from(contents)] as const),
  )
  const made = Object.entries(metafile.outputs)
  const outputOf = (entry: string) => made.find(([, { entryPoint }]) => entryPoint === entry)!
  const [script, { imports }] = outputOf('main.tsx')
  const [style] = outputOf('style.css')
  const preloaded = imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
  const address = (path: string): string => `${ASSETS}/${nameOf(path)}`
  const shell = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>US banking history</title>
<meta name="description" content="The history of US banks, credit unions and holding companies, as pictures and as figures.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${address(style)}">
${preloaded.map(({ path }) => `<link rel="modulepreload" href="${address(path)}">\n`).join('')}<script type="module" src="${address(script)}"></script></head>
<body><div id="app"></div><noscript><p>The explorer needs JavaScript. Everything it shows is in the <a href="/docs">API</a> too, and in the <a href="/docs/catalog">list of datasets</a>.</p></noscript></body></html>
`
  return { shell, files }
}
