/** A field that completes as one writes (the combobox pattern of ARIA). */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

export interface CompleteProps<T> {
  label: string
  placeholder: string
  /** What may be meant, the likeliest first; or a sentence that says why nothing is offered. */
  find: (text: string) => readonly T[] | string
  keyOf: (one: T) => string
  show: (one: T) => ComponentChildren
  onPick: (one: T) => void
  onEnter?: () => void
}

export function Complete<T>({ label, placeholder, find, keyOf, show, onPick, onEnter }: CompleteProps<T>) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const id = useId()
  const shown = open && text.trim() !== ''
  const answer = shown ? find(text) : []
  const found = typeof answer === 'string' ? [] : answer
  const pick = (one: T | undefined): void => {
    if (one === undefined) return
    setText('')
    setOpen(false)
    onPick(one)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setOpen(true)
      setAt((at + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(found[at])
    } else if (event.key === 'Escape') {
      setOpen(false)
      setText('')
    }
  }
  return (
    <div class="complete">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onFocus={onEnter}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
          setOpen(true)
        }}
        onKeyDown={onKey}
        // after the click on what is offered
        onBlur={() => setTimeout(() => setOpen(false), 150)}
      />
      <div class="found" hidden={!shown}>
        <div role="listbox" id={`${id}-list`} aria-label={`${label}: found`}>
          {found.map((one, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            <div
              role="option"
              key={keyOf(one)}
              id={`${id}-${i}`}
              aria-selected={i === at}
              onClick={() => pick(one)}
            >
              {show(one)}
            </div>
          ))}
        </div>
        <p class="mild" role="status" hidden={found.length > 0}>
          {typeof answer === 'string' ? answer : 'Nothing has all these words.'}
        </p>
      </div>
    </div>
  )
}
