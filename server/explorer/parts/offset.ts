/** How far a grid is scrolled, as soon as it is. */
import { observeElementOffset, type Virtualizer } from '@tanstack/virtual-core'

/** After so many frames without a move none is expected. */
const STILL = 12
/** What may begin to scroll. */
const BEGINNINGS = ['scroll', 'keydown', 'wheel', 'pointerdown'] as const

type Grid = Virtualizer<HTMLElement, HTMLElement>

/**
 * A browser that scrolls step by step tells of each step one frame late: a page further, the frame has no row. So the
 * element itself is asked in each frame, before it is painted, for as long as it moves.
 */
export function observeOffset(
  instance: Grid,
  tell: (offset: number, isScrolling: boolean) => void,
): () => void {
  const stop = observeElementOffset(instance, tell)
  const element = instance.scrollElement
  let frame = 0
  let still = 0
  let last = element?.scrollTop ?? 0
  const look = (): void => {
    const offset = element!.scrollTop
    still = offset === last ? still + 1 : 0
    if (still === 0) tell(offset, true)
    last = offset
    frame = still < STILL ? requestAnimationFrame(look) : 0
  }
  const begin = (): void => {
    still = 0
    if (frame === 0) frame = requestAnimationFrame(look)
  }
  for (const name of BEGINNINGS) element?.addEventListener(name, begin, { passive: true })
  return () => {
    stop?.()
    cancelAnimationFrame(frame)
    for (const name of BEGINNINGS) element?.removeEventListener(name, begin)
  }
}
