/** A value that several parts of the page look at. */
import { useEffect, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(value: T): void
  /** The value, and the part is drawn anew when it changes. */
  use(): T
}

export function store<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener(next)
    },
    use: () => {
      const [seen, setSeen] = useState(() => value)
      useEffect(() => {
        const listener = (next: T): void => setSeen(() => next)
        listeners.add(listener)
        listener(value)
        return () => void listeners.delete(listener)
      }, [])
      return seen
    },
  }
}
