/** What is shown of an answer: itself, that it is awaited, or why there is none. */
import type { ComponentChildren } from 'preact'
import type { Answer } from '../../../clients/typescript/src/index.ts'
import { type Asked, holdKey, Problem } from '../lib/api.ts'

/** @param props.absent in place of the problem where nothing is held */
export function Shown<Data>({
  asked,
  what,
  absent,
  children,
}: {
  asked: Asked<Data>
  /** Of what, in a sentence: “the trends”. */
  what: string
  absent?: ComponentChildren
  children: (answer: Answer<Data>) => ComponentChildren
}) {
  const { answer, problem, waiting } = asked
  if (problem) return <Trouble problem={problem} what={what} again={asked.again} absent={absent} />
  if (!answer) return waiting ? <p class="mild waiting">Reading {what} …</p> : null
  return <div class={waiting ? 'stale' : undefined}>{children(answer)}</div>
}

const plans: Readonly<Record<string, string>> = { free: 'a free key', premium: 'a premium key' }

/** A problem as an answer: what it means, and what can be done. */
export function Trouble({
  problem,
  what,
  again,
  absent,
}: {
  problem: Error
  what: string
  again?: () => void
  absent?: ComponentChildren
}) {
  const code = problem instanceof Problem ? problem.code : ''
  const retry = again && (
    <button type="button" onClick={again}>
      Try again
    </button>
  )
  if (code === 'not-found' && absent) return <>{absent}</>
  switch (code) {
    case 'key-required':
    case 'plan-required':
      return <NeedsPlan what={what} reason={problem.message} />
    case 'key-invalid':
      return (
        <Note title="This key is not in force">
          <p>
            It may be mistyped, revoked or rotated. Take it away under “Key”, and the public data can be read
            again.
          </p>
          <button type="button" onClick={() => holdKey('')}>
            Go on without a key
          </button>
        </Note>
      )
    case 'allowance-used-up':
      return (
        <Note title="Today’s allowance is used up">
          <p>
            {problem.message}. <a href="/docs/access">What each plan may read</a>
          </p>
        </Note>
      )
    case 'no-data':
      return (
        <Note title={`Nothing is loaded for ${what} yet`}>
          <p>{problem.message}</p>
          {retry}
        </Note>
      )
    case 'not-found':
      return (
        <Note title="Nothing is held for this">
          <p>{problem.message}</p>
        </Note>
      )
    case 'invalid-parameter':
      return (
        <Note title="This cannot be asked">
          <p>{problem.message}</p>
        </Note>
      )
    case 'engine-unavailable':
    case 'query-timeout':
      return (
        <Note title={`${what[0]!.toUpperCase()}${what.slice(1)} cannot be read for the moment`}>
          <p>The server is there, but not what it reads from: {problem.message}.</p>
          {retry}
        </Note>
      )
    case '':
      return (
        <Note title="The server does not answer">
          <p>It may be restarting, or the network is away.</p>
          {retry}
        </Note>
      )
    default:
      return (
        <Note title={`${what[0]!.toUpperCase()}${what.slice(1)} cannot be read now`}>
          <p>{problem.message}</p>
          {retry}
        </Note>
      )
  }
}

/** @param props.page it is all that the page shows */
export function Note({
  title,
  page,
  children,
}: {
  title: string
  page?: boolean
  children?: ComponentChildren
}) {
  return (
    <div class="note" role="status">
      {page ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children}
    </div>
  )
}

/** @param props.reason as the server says it, with the tier; or the tier alone */
export function NeedsPlan({ what, reason }: { what: string; reason: string }) {
  const tier = Object.keys(plans).find((one) => reason.toLowerCase().includes(one))
  return (
    <Note title={`${what[0]!.toUpperCase()}${what.slice(1)} needs ${tier ? plans[tier] : 'another key'}`}>
      <p>
        The public data on this page needs no key. If you have one, enter it under “Key” at the top: it stays
        in this tab. <a href="/docs/access">What each key may read</a>
      </p>
    </Note>
  )
}
