import type { Format, Question } from '../question.ts'

/** Path and query of a question for the two peers that are services of their own: this one and PostgreSQL's. */
export function pathOf(question: Question, format: Format): string {
  switch (question.kind) {
    case 'rows': {
      const { kind: _, path: __, ...asked } = question
      return `/rows?question=${encodeURIComponent(JSON.stringify(asked))}`
    }
    case 'snapshot':
      return `/banks/${question.bank}`
    case 'screen': {
      const { where, columns } = question
      const filter = where ? `&state=${where.state}&least=${where.least}` : ''
      return `/screen?columns=${columns.join(',')}${filter}&format=${format}`
    }
    case 'working-set':
      return `/screen?columns=${question.columns.join(',')}&format=${format}`
    case 'series':
      return `/banks/${question.bank}/series?metrics=${question.metrics.join(',')}&format=${format}`
    case 'panel': {
      const filter = question.states ? `&states=${question.states.join(',')}` : ''
      return `/panel?metrics=${question.metrics.join(',')}${filter}&format=${format}`
    }
    case 'rank':
      return `/banks/${question.bank}/rank?metrics=${question.metrics.join(',')}&format=${format}`
    case 'summary':
      return `/summary?metrics=${question.metrics.join(',')}&format=${format}`
  }
}
