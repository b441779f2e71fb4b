/** A search over every institution. */
import { useState } from 'preact/hooks'
import { addressOf, type Institution, institutions, kindNames, matching } from '../lib/institutions.ts'
import { short, THOUSANDS } from '../lib/numbers.ts'
import { go } from '../lib/router.ts'
import { Complete } from './complete.tsx'

const MOST = 10

export function Search({
  large,
  placeholder,
  label = 'Search institutions',
  onPick = (one) => go(addressOf(one)),
  among = () => true,
}: {
  large?: boolean
  placeholder?: string
  label?: string
  onPick?: (one: Institution) => void
  among?: (one: Institution) => boolean
}) {
  const [all, setAll] = useState<readonly Institution[] | Error | null>(null)
  const read = (): void => {
    institutions().then(
      (list) => setAll(list),
      (error: Error) => setAll(error),
    )
  }
  const find = (text: string): readonly Institution[] | string => {
    if (all === null) return 'Reading the names …'
    if (all instanceof Error) return `The names cannot be read: ${all.message}`
    const found = matching(all.filter(among), text, MOST)
    return found.length > 0
      ? found
      : 'No institution has all these words. “Screen” finds those of a state or with certain figures.'
  }
  return (
    <search class={large ? 'search large' : 'search'}>
      <Complete
        label={label}
        placeholder={placeholder ?? (large ? 'Bank, credit union or company' : 'Search')}
        find={find}
        keyOf={addressOf}
        onEnter={read}
        onPick={onPick}
        show={(one) => (
          <>
            <span>{one.name}</span>{' '}
            <span class="mild">
              {kindNames[one.kind]} · {one.place}
              {one.active ? '' : ' · closed'} {one.assets !== null && `· ${short(one.assets, THOUSANDS)}`}
            </span>
          </>
        )}
      />
    </search>
  )
}
