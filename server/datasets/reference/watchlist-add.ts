import { dataset } from '../../catalog/define.ts'
import { changing } from '../../catalog/parts/watches.ts'

export default dataset({
  key: 'watchlist-add',
  summary: 'Puts institutions on the list of the key: all that are named, or none where one is unknown.',
  ...changing('add'),
  examples: [{ title: 'Watch a bank', query: 'rssd_id={rssd_id}', expect: { rows: 1 } }],
})
