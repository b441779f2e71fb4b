import type { Writable } from 'node:stream'

/** Where a load tells how far it is. On a terminal one line is redrawn; elsewhere each step is a line of its own. */
export interface Progress {
  /** Announces how many bytes of input there will be in all, for the time left. */
  expect(files: number, bytes: number): void
  /** A file or edition is begun. */
  begin(name: string): void
  /** Input bytes were taken in. */
  bytes(count: number): void
  /** Input rows were taken in. */
  rows(count: number): void
  /** The edition that was begun is done with, well or not. */
  end(): void
  /** A longer step of known or unknown length, such as deriving figures; `fraction` from 0 to 1. */
  step(name: string, fraction?: number): void
  /** A fact worth a line of its own. */
  note(text: string): void
  /** Leaves the terminal clean. */
  close(): void
}

interface Terminal extends Writable {
  isTTY?: boolean
  columns?: number
}

export function openProgress(out: Terminal, now: () => number = () => performance.now()): Progress {
  return out.isTTY ? new LiveProgress(out, now) : new LineProgress(out, now)
}

export const silent: Progress = {
  expect() {},
  begin() {},
  bytes() {},
  rows() {},
  end() {},
  step() {},
  note() {},
  close() {},
}

const million = (n: number) => (n / 1e6).toFixed(1)
const clock = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

/** What both forms count. */
class Counter {
  files = 0
  filesInAll = 0
  bytesInAll = 0
  bytesDone = 0
  rowsDone = 0
  name = ''
  protected readonly started: number
  protected readonly out: Terminal
  protected readonly now: () => number

  constructor(out: Terminal, now: () => number) {
    this.out = out
    this.now = now
    this.started = now()
  }

  expect(files: number, bytes: number): void {
    this.filesInAll = files
    this.bytesInAll = bytes
  }
  bytes(count: number): void {
    this.bytesDone += count
  }
  rows(count: number): void {
    this.rowsDone += count
  }

  protected seconds(): number {
    return (this.now() - this.started) / 1000
  }

  /** `3/15 files · 12.4 M rows · 8.1 MB/s · 12 s left` */
  protected figures(): string {
    const seconds = Math.max(this.seconds(), 0.001)
    const parts = [`${this.files}/${this.filesInAll} files`, `${million(this.rowsDone)} M rows`]
    parts.push(`${million(this.bytesDone / seconds)} MB/s`)
    const left = ((this.bytesInAll - this.bytesDone) * seconds) / Math.max(this.bytesDone, 1)
    if (this.bytesDone > 0 && this.bytesDone < this.bytesInAll) parts.push(`${clock(left)} left`)
    return parts.join(' · ')
  }
}

class LineProgress extends Counter implements Progress {
  #step = ''
  #begun = 0
  begin(name: string): void {
    this.name = name
    this.#begun += 1
    this.#line(`${this.#begun}/${this.filesInAll} ${name}`)
  }
  end(): void {
    this.files += 1
    this.#line(this.figures())
  }
  step(name: string): void {
    if (name !== this.#step) this.#line(name)
    this.#step = name
  }
  note(text: string): void {
    this.#line(text)
  }
  close(): void {}
  #line(text: string): void {
    this.out.write(`[${this.seconds().toFixed(1).padStart(6)} s] ${text}\n`)
  }
}

const REDRAW_MS = 100

class LiveProgress extends Counter implements Progress {
  #drawnAt = -Infinity
  begin(name: string): void {
    this.name = name
    this.#draw(this.figures(), name, true)
  }
  override bytes(count: number): void {
    super.bytes(count)
    this.#draw(this.figures(), this.name)
  }
  override rows(count: number): void {
    super.rows(count)
    this.#draw(this.figures(), this.name)
  }
  end(): void {
    this.files += 1
    this.#draw(this.figures(), this.name, true)
  }
  step(name: string, fraction?: number): void {
    this.#draw(fraction === undefined ? '' : `${Math.round(fraction * 100)} %`, name, fraction === undefined)
  }
  note(text: string): void {
    this.out.write(`\r\u001b[K${text}\n`)
  }
  close(): void {
    this.out.write('\r\u001b[K')
  }
  #draw(figures: string, name: string, now = false): void {
    if (!now && this.now() - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = this.now()
    const line = [figures, name].filter(Boolean).join(' · ')
    this.out.write(`\r\u001b[K${line.slice(0, (this.out.columns ?? 80) - 1)}`)
  }
}

/** Progress that aborts the load at its next report once the signal is given: no step runs long without one. */
export function stoppable(progress: Progress, signal: AbortSignal | undefined): Progress {
  if (!signal) return progress
  const checked =
    <A extends unknown[]>(tell: (...of: A) => void) =>
    (...of: A) => {
      signal.throwIfAborted()
      tell(...of)
    }
  return {
    expect: (files, bytes) => progress.expect(files, bytes),
    begin: checked((name: string) => progress.begin(name)),
    bytes: checked((count: number) => progress.bytes(count)),
    rows: checked((count: number) => progress.rows(count)),
    end: () => progress.end(),
    step: checked((name: string, fraction?: number) => progress.step(name, fraction)),
    note: (text) => progress.note(text),
    close: () => progress.close(),
  }
}
