import { problems } from '../../errors.ts'
import { html, page, prose } from './layout.ts'

/** Every problem by its code: where the `type` of a problem points to. */
export const errorsPage = (): string =>
  page(
    'Problems',
    `<p>Every problem is <code>application/problem+json</code> (RFC 9457) with <code>code</code>, <code>request_id</code> and, where values are refused, <code>errors</code>: the parameter, the reason, what is allowed and what was likely meant.</p>${Object.entries(
      problems,
    )
      .map(
        ([code, { status, title, doc }]) =>
          `<h2 id="${code}">${status} <code>${code}</code></h2><p>${html(title)}. ${prose(doc)}</p>`,
      )
      .join('')}`,
  )
