/**
 * Writes how far a long work is to standard error: one line that changes on a terminal, a plain line every few
 * seconds in a log.
 */
export function progressLines(work: string, out: NodeJS.WriteStream = process.stderr) {
  const began = Date.now()
  let last = 0
  return (step: string, done: number): void => {
    const now = Date.now()
    if (!out.isTTY && done < 1 && now - last < 5000) return
    last = now
    const seconds = (now - began) / 1000
    const left = done > 0.05 && done < 1 ? `, about ${Math.ceil((seconds / done) * (1 - done))} s left` : ''
    const line = `${work}: ${step} ${Math.round(done * 100)} %, ${seconds.toFixed(0)} s${left}`
    out.write(out.isTTY ? `\r\u001b[K${line}${done >= 1 ? '\n' : ''}` : `${line}\n`)
  }
}
