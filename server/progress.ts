/** Writes a line to whoever watches. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/**
 * Reports the progress of a long task on standard error: one line that changes on a terminal, a plain line every few
 * seconds in a log.
 * @param everySeconds plain lines on a terminal too, not more often: for work beside which others write there
 */
export function progressLines(work: string, everySeconds?: number) {
  const out = process.stderr
  const changing = out.isTTY && everySeconds === undefined
  const pause = (everySeconds ?? 5) * 1000
  const began = Date.now()
  let last = 0
  return (step: string, done: number): void => {
    const now = Date.now()
    if (!changing && done < 1 && now - last < pause) return
    last = now
    const seconds = (now - began) / 1000
    const left = done > 0.05 && done < 1 ? `, about ${Math.ceil((seconds / done) * (1 - done))} s left` : ''
    const line = `${work}: ${step} ${Math.round(done * 100)} %, ${seconds.toFixed(0)} s${left}`
    out.write(changing ? `\r\u001b[K${line}${done >= 1 ? '\n' : ''}` : `${line}\n`)
  }
}
