import { isAscii, isUtf8 } from 'node:buffer'
import type { TextForm } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import { fromWindows1252, undefinedIn1252 } from '../lib/windows-1252.ts'
import type { Cut } from './compile.ts'

/** A record as its file has it: the fields, divided by `separatorOf` its form, as UTF-8. */
export interface TextRecord {
  /** 1-based line on which it begins. */
  line: number
  /** What is wrong with the text itself; '' where nothing is. */
  fault: string
  bytes: Buffer
  /** It is the last, and no line end follows. */
  open?: true
  /** It is a run of so many records: `bytes` are lines, each ended by a bare LF, of a record each, with blank ones between them. */
  run?: number
}

/** Stands between the fields of a quoted form, whose fields may hold the delimiter. No agency's text has it. */
const UNIT_SEPARATOR = 0x1f
const LF = 10
const CR = 13
const QUOTE = 34

export const separatorOf = (form: TextForm): string =>
  form.quoted ? String.fromCharCode(UNIT_SEPARATOR) : form.delimiter

export const cutOf = (form: TextForm): Cut => form.widths ?? separatorOf(form)

/** The longest record that is read: a narrative of a complaint is below 64 KiB, a line of 2,500 items below 32 KiB. */
export const MOST_RECORD_BYTES = 1 << 20

/**
 * Cuts a text into records, a chunk at a time, in time linear in its length. Lines end with LF or CR LF, mixed or not,
 * where the form does not say otherwise; blank lines are passed over; a byte order mark is dropped; what is not UTF-8 is
 * read as Windows-1252. With quotes a field may hold delimiters, quotes (doubled) and line ends, as RFC 4180 has it.
 * @throws LoadError where no record ends within MOST_RECORD_BYTES
 */
export class RecordCutter {
  readonly #form: TextForm
  readonly #delimiter: number
  readonly #place: string
  /** What of the last record has come so far. */
  #rest: Buffer = Buffer.alloc(0)
  /** Where in `#rest` the line begins that was not looked through, and whether that is within quotes. */
  #seen = 0
  #quoted = false
  #nextQuote = 0
  #line = 1
  #begun = false
  /** Lines within the quotes of the record in the making. */
  #inner = 0
  #parted: Buffer = Buffer.alloc(0)
  /** Lines with nothing special about them come in runs from here on: whoever reads cuts them where that costs less than here. */
  runs = false

  /** @param place the file, for messages */
  constructor(form: TextForm, place: string) {
    this.#form = form
    this.#delimiter = form.delimiter.charCodeAt(0)
    this.#place = place
  }

  /** The records that end within the chunk. */
  *push(chunk: Buffer): Generator<TextRecord> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    if (!this.#begun && bytes.length >= 3) {
      this.#begun = true
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
    }
    this.#nextQuote = 0
    let start = 0
    let plain: boolean | undefined
    for (;;) {
      if (this.runs && this.#seen === 0 && !this.#form.onlyCrlf) {
        const to = bytes.lastIndexOf(LF) + 1
        // looked at once, however often a line interrupts the runs
        if (to - start >= LEAST_RUN) plain ??= isPlain(bytes.subarray(start, to))
        if (plain && to - start >= LEAST_RUN) {
          const run = this.#form.quoted ? this.#partedRun(bytes, start, to) : this.#run(bytes, start, to)
          start = run.end
          if (run.record.run) yield run.record
        }
      }
      const end = this.#endOfRecord(bytes, start + this.#seen)
      if (end < 0) break
      yield* this.#record(bytes.subarray(start, end))
      this.#line += 1 + this.#inner
      this.#inner = 0
      this.#seen = 0
      start = end + 1
    }
    this.#rest = bytes.subarray(start)
    if (this.#rest.length > MOST_RECORD_BYTES) {
      const why = this.#quoted ? 'a quote that is opened there is not closed' : 'no line ends'
      throw new LoadError(
        `${this.#place}: line ${this.#line}: ${why} within ${MOST_RECORD_BYTES.toLocaleString('en-US')} bytes`,
      )
    }
  }

  /** Lines as they are, each with a bare LF. */
  #run(bytes: Buffer, from: number, to: number): Run {
    const line = this.#line
    let [records, at] = [0, from]
    for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, at)) {
      if (end > at + 1 || (end > at && bytes[at] !== CR)) records += 1
      this.#line += 1
      at = end + 1
    }
    const text = bytes.subarray(from, to)
    const bare = text.includes(CR)
      ? Buffer.from(text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
      : text
    return { end: to, record: { line, fault: '', bytes: bare, run: records } }
  }

  /** Lines with their fields out of the quotes and parted, up to the first record that has more lines than one, or a fault. */
  #partedRun(bytes: Buffer, from: number, to: number): Run {
    if (this.#parted.length < to - from) this.#parted = Buffer.allocUnsafe(to - from)
    const { written, end, lines, records } = partLines(bytes, from, to, this.#delimiter, this.#parted)
    const line = this.#line
    this.#line += lines
    // what is yielded is the reader's to keep
    const own = Buffer.from(this.#parted.subarray(0, written))
    return { end, record: { line, fault: '', bytes: own, run: records } }
  }

  /** The record that has no line end. */
  *finish(): Generator<TextRecord> {
    if (this.#rest.length === 0) return
    this.#nextQuote = 0
    this.#endsQuoted(this.#rest, this.#seen, this.#rest.length)
    let [record] = this.#record(this.#rest)
    if (!record) return
    record.open = true
    if (this.#quoted) record = { ...record, fault: 'the file ends within a quoted field: it was cut short' }
    else if (this.#form.endsLines)
      record = { ...record, fault: 'the file ends within this line: it was cut short' }
    yield record
  }

  /** Where the line end is that ends the record, looking from the line that begins at `from`; -1: it has not come yet. */
  #endOfRecord(bytes: Buffer, from: number): number {
    for (let at = from; ; ) {
      const end = bytes.indexOf(LF, at)
      const bare = end >= 0 && this.#form.onlyCrlf && bytes[end - 1] !== CR
      if (end >= 0 && !bare && !this.#endsQuoted(bytes, at, end)) return end
      if (end < 0) {
        this.#seen = at - (from - this.#seen)
        return -1
      }
      if (!bare) this.#inner += 1
      at = end + 1
    }
  }

  /** Whether a line ends within quotes. A quote opens a field at its beginning alone; elsewhere it is a character. */
  #endsQuoted(bytes: Buffer, from: number, to: number): boolean {
    if (!this.#form.quoted) return false
    if (!this.#quoted) {
      if (this.#nextQuote >= 0 && this.#nextQuote < from) this.#nextQuote = bytes.indexOf(QUOTE, from)
      if (this.#nextQuote < 0 || this.#nextQuote >= to) return false
    }
    let [quoted, fieldBegins] = [this.#quoted, true]
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at]
      if (quoted) {
        if (byte !== QUOTE) continue
        if (bytes[at + 1] === QUOTE) at += 1
        else [quoted, fieldBegins] = [false, false]
      } else if (byte === QUOTE && fieldBegins) quoted = true
      else fieldBegins = byte === this.#delimiter
    }
    this.#quoted = quoted
    return quoted
  }

  *#record(raw: Buffer): Generator<TextRecord> {
    const bytes = raw.at(-1) === CR ? raw.subarray(0, -1) : raw
    if (bytes.length === 0) return
    const line = this.#line
    const [text, fault] = asUtf8(bytes)
    if (!this.#form.quoted) yield { line, fault, bytes: text }
    else {
      const [fields, broken] = unquoted(text, this.#delimiter)
      yield { line, fault: fault || broken, bytes: fields }
    }
  }
}

/** A run, and where what is not of it begins. */
interface Run {
  record: TextRecord
  end: number
}

/**
 * Writes the lines `from` … `to`, of which the last ends, with their fields unquoted and the unit separator between them, each
 * with a bare LF, in one pass. It ends before a record that goes over lines, whose quotes are not closed as they should be, that
 * ends with a CR within quotes, or that is one empty field in quotes.
 */
function partLines(bytes: Buffer, from: number, to: number, delimiter: number, out: Buffer) {
  const whole = { written: 0, end: from, lines: 0, records: 0 }
  let [at, length] = [from, 0]
  // a field in each turn
  while (at < to) {
    let byte = bytes[at]!
    if (byte === QUOTE) {
      for (at += 1; ; at += 1) {
        byte = bytes[at]!
        if (byte === LF) return whole
        if (byte === QUOTE) {
          at += 1
          if (bytes[at] !== QUOTE) break
        }
        out[length++] = byte
      }
      if (bytes[at] === CR && bytes[at + 1] === LF) at += 1
      byte = bytes[at]!
      if (byte !== delimiter && (byte !== LF || out[length - 1] === CR)) return whole
    } else {
      for (; byte !== delimiter && byte !== LF; byte = bytes[at]!) {
        out[length++] = byte
        at += 1
      }
      if (byte === LF && length > whole.written && out[length - 1] === CR) length -= 1
    }
    at += 1
    if (byte === delimiter) out[length++] = UNIT_SEPARATOR
    else {
      if (length > whole.written) whole.records += 1
      else if (at - whole.end > 2) return whole
      out[length++] = LF
      whole.lines += 1
      whole.written = length
      whole.end = at
    }
  }
  return whole
}

/** Bytes of a text below which its lines are cut here. */
const LEAST_RUN = 1 << 12

const NO_BREAK_SPACE = Buffer.from('\u00a0')

/** Whether it is what `asUtf8` would make of it. */
const isPlain = (text: Buffer): boolean =>
  (isAscii(text) || (isUtf8(text) && !text.includes(NO_BREAK_SPACE))) && !text.includes(0)

/** The text as UTF-8, with plain spaces for those that do not break, and what is wrong with it. */
function asUtf8(bytes: Buffer): [Buffer, string] {
  if (isAscii(bytes)) return bytes.includes(0) ? [bytes, 'holds a NUL byte'] : [bytes, '']
  if (isUtf8(bytes)) return [Buffer.from(bytes.toString('utf8').replaceAll('\u00a0', ' ')), '']
  const strange = bytes.find((byte) => undefinedIn1252.has(byte))
  const text = Buffer.from(fromWindows1252(bytes).replaceAll('\u00a0', ' '))
  return strange === undefined
    ? [text, '']
    : [text, `the byte 0x${strange.toString(16).toUpperCase()} is neither UTF-8 nor Windows-1252`]
}

/** The fields without their quotes, divided by the unit separator. */
function unquoted(bytes: Buffer, delimiter: number): [Buffer, string] {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let fault = ''
  let at = 0
  while (at <= bytes.length) {
    if (bytes[at] === QUOTE) {
      // up to the quote that is not doubled
      for (at += 1; at < bytes.length; at += 1) {
        if (bytes[at] === QUOTE && bytes[++at] !== QUOTE) break
        out[length++] = bytes[at]!
      }
      if (at < bytes.length && bytes[at] !== delimiter) fault ||= 'a quote is closed within a field'
    }
    for (; at < bytes.length && bytes[at] !== delimiter; at += 1) out[length++] = bytes[at]!
    if (at < bytes.length) out[length++] = UNIT_SEPARATOR
    at += 1
  }
  return [out.subarray(0, length), fault]
}
