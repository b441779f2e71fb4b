const STEPS = 10

/**
 * Aborts after `ms` in which this process was able to notice an answer. A process that is held up itself, by its own
 * work or because its machine slept, finds its timers due before the answers that lie in its sockets: of such a time
 * only one step in ten counts, so that it does not take its own pause for the other side's.
 * `stop` ends the wait.
 */
export function patience(ms: number): { readonly signal: AbortSignal; stop(): void } {
  const waiting = new AbortController()
  let steps = 0
  const timer = setInterval(() => {
    if (++steps < STEPS) return
    clearInterval(timer)
    waiting.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))
  }, ms / STEPS).unref()
  return { signal: waiting.signal, stop: () => clearInterval(timer) }
}
