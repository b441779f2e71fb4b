import { CORRECTIONS } from '../entities/link.ts'
import { code, optional, whole, words } from './columns.ts'
import { source } from './declare.ts'

export default source({
  key: 'corrections',
  name: 'Corrections of links',
  publisher: 'Whoever runs the server',
  licence: 'Your own',
  address: 'docs/loading.md',
  what: 'Which institution a source means, where that cannot be found or is found wrong. It wins over what is found.',
  howToGet: `Write a CSV file with the header relation,own,entity,entity_id,why: the table of the source, what the source calls
the institution (as in the column own of the table links), the kind of institution and its number, or none where no
institution is meant; then: npm run load -- corrections FILE`,
  tables: {
    [CORRECTIONS]: {
      doc: 'An institution that a source means, as somebody found out.',
      columns: {
        relation: code('relation', { label: 'Table of the source' }),
        own: words('own', { label: 'What the source calls it' }),
        entity: code('entity', { label: 'Kind of institution' }),
        entity_id: optional(whole('entity_id', { label: 'Number of the institution' })),
        why: words('why', { label: 'How that is known' }),
      },
      unique: ['relation', 'own', 'entity'],
      edition: { replaces: 'all' },
    },
  },
})
