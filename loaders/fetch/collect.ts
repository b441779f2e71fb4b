import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Asked, FetchDeclaration } from '../../sql/sources/fetch.ts'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { Unloadable } from '../lib/source.ts'
import { type DownloadOptions, download } from './download.ts'
import { NotPublished } from './faults.ts'
import { downloadPages } from './pages.ts'
import type { FetchState, SourceState } from './state.ts'
import type { Validators } from './validators.ts'

/** A declaration with all that settings say of it. */
export interface Fetching {
  fetch: FetchDeclaration
  /** What stands for the base. */
  base: string
  headers: Readonly<Record<string, string>>
  asked: Asked
  /** What is known of the files that are held; those of it are asked for only if they changed. */
  state: SourceState
  folder: string
  progress: Progress
  times: Pick<DownloadOptions, 'tries' | 'pauseMs' | 'idleMs' | 'signal'>
}

/** A file that was fetched, or asked for in vain. */
export interface Fetched extends Validators {
  name: string
  edition?: string
  sha256: string
}

export interface Collected {
  /** New files, and where they lie. */
  files: (Fetched & { path: string })[]
  /** Files that are as they were, with what their addresses said now. */
  same: (Partial<Fetched> & { name: string })[]
  failed: Unloadable[]
}

/** Names become paths, and some come out of answers. */
const NAME = /^[\w(][\w .,()&+-]{0,200}$/
/** So many addresses that fail one after the other say that the next will too. */
const MOST_FAULTS = 3

/**
 * Asks the addresses of a source, one after the other, as a guest should. What fails is told by name, and the others
 * are asked all the same, unless the publisher seems not to answer at all.
 */
export async function collect(fetching: Fetching): Promise<Collected> {
  const collector = new Collector(fetching)
  await collector.askAll(fetching.fetch.addresses(fetching.asked))
  return collector.collected
}

class Collector {
  readonly collected: Collected = { files: [], same: [], failed: [] }
  readonly #fetching: Fetching
  readonly #names = new Set<string>()
  readonly #turn: () => Promise<void>
  #faults = 0
  #done = 0
  #known = 0

  constructor(fetching: Fetching) {
    this.#fetching = fetching
    this.#turn = pacer(fetching.fetch.perSecond, fetching.times.signal)
  }

  /** @returns whether all of them, and all that they name, were had */
  async askAll(addresses: readonly Address[]): Promise<boolean> {
    this.#known += addresses.length
    let whole = true
    for (const address of addresses) {
      this.#fetching.times.signal?.throwIfAborted()
      if (this.#faults >= MOST_FAULTS) return false
      whole = (await this.#askOne(address)) && whole
    }
    return whole
  }

  async #askOne(address: Address): Promise<boolean> {
    const { name } = address
    this.#check(name)
    const { progress, state } = this.#fetching
    const held = address.aside ? undefined : state.get(name)
    if (address.settled && held && held.sha256 !== '') return true
    progress.step(`fetching ${name}`, this.#done++ / this.#known)
    try {
      const answer = await this.#fetch(address, held)
      this.#faults = 0
      if (answer === 'unchanged') {
        this.collected.same.push({ name })
        return true
      }
      return await this.#take(address, answer, held)
    } catch (error) {
      this.#fetching.times.signal?.throwIfAborted()
      if (!(error instanceof LoadError)) throw error
      if (error instanceof NotPublished && address.mayLack) return true
      if (!(error instanceof NotPublished)) this.#faults += 1
      this.collected.failed.push({ name, reason: wordsOf(error) })
      if (this.#faults === MOST_FAULTS)
        progress.note(`the last ${MOST_FAULTS} files failed: no more is asked for this time`)
      return false
    }
  }

  /** Keeps what an address gave, and asks what it names. */
  async #take(
    address: Address,
    answer: Fetched & { path: string },
    held: FetchState | undefined,
  ): Promise<boolean> {
    const { name, leadsTo, aside } = address
    const { path, ...fetched } = answer
    const children = leadsTo ? named(leadsTo, await readFile(path, 'utf8'), name) : []
    const isSame = held !== undefined && held.sha256 === fetched.sha256
    if (aside || isSame) await rm(path, { force: true })
    // before what it names: a list is loaded in the order of its addresses
    if (!aside && !isSame) this.collected.files.push(answer)
    if (!aside && isSame) this.collected.same.push(fetched)
    if (await this.askAll(children)) return true
    if (aside) return false
    // it must be asked anew the next time, as what it names is asked for only then
    this.collected.same = this.collected.same.filter((one) => one.name !== name)
    this.collected.failed.push({ name, reason: 'not all that it names could be fetched' })
    return false
  }

  async #fetch(
    address: Address,
    held: FetchState | undefined,
  ): Promise<'unchanged' | (Fetched & { path: string })> {
    const { folder, fetch, headers, times, progress } = this.#fetching
    const { name, pages } = address
    const path = join(folder, name)
    const url = this.#urlOf(address)
    const options: DownloadOptions = {
      ...times,
      headers: { ...headers, ...address.headers },
      mostBytes: fetch.mostBytes,
      turn: this.#turn,
      held,
      note: (text) => progress.note(text),
    }
    if (pages) {
      const told = (records: number, total?: number) =>
        progress.step(`fetching ${name}: ${records} records`, total && records / total)
      const answer = await downloadPages(url, path, pages, { ...options, edition: held?.edition, told })
      return answer === 'unchanged' ? answer : { ...answer, name, path }
    }
    const answer = await download(url, path, options)
    if (answer === 'unchanged') return answer
    if (!address.base64) return { ...answer, name, path }
    return { ...answer, sha256: await decodeBase64(path, url), name, path }
  }

  #urlOf({ path }: Address): string {
    const { base, fetch } = this.#fetching
    const stem = base.endsWith('/') ? base.slice(0, -1) : base
    if (!/^https?:\/\//.test(path)) return `${stem}${path}`
    if (base === fetch.base) return path
    const { pathname, search } = new URL(path)
    return `${stem}${pathname}${search}`
  }

  #check(name: string): void {
    if (!NAME.test(name)) throw new LoadError(`“${name}” cannot name a file`)
    if (this.#names.has(name)) throw new LoadError(`two addresses have the name ${name}`)
    this.#names.add(name)
  }
}

/** What an answer names; one that is not what the declaration expects is a fault of the file. */
function named(leadsTo: NonNullable<Address['leadsTo']>, text: string, name: string): readonly Address[] {
  try {
    return leadsTo(text)
  } catch (error) {
    throw new LoadError(`${name}: is not what was expected (${wordsOf(error)}): ${text.slice(0, 100).trim()}`)
  }
}

/** Waits until a request may be sent, so that no second has more than `perSecond` of them. */
function pacer(perSecond: number | undefined, signal: AbortSignal | undefined): () => Promise<void> {
  if (perSecond === undefined) return async () => {}
  let next = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / perSecond
    if (at > now) await sleep(at - now, undefined, { signal })
  }
}

/** Puts the bytes that a JSON string has in base 64 in its place. @returns their SHA-256 */
async function decodeBase64(path: string, url: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).trim().replace(/^"([\s\S]*)"$/, '$1')
  if (text === '' || /[^A-Za-z0-9+/=\s]/.test(text)) {
    await rm(path, { force: true })
    throw new LoadError(`${url}: answered what is not base 64: ${text.slice(0, 100)}`)
  }
  await writeFile(path, Buffer.from(text, 'base64'))
  return sha256OfFile(path)
}
