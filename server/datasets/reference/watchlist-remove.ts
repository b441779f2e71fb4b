import { dataset } from '../../catalog/define.ts'
import { changing } from '../../catalog/parts/watches.ts'

export default dataset({
  key: 'watchlist-remove',
  summary: 'Takes institutions off the list of the key.',
  ...changing('remove'),
  examples: [{ title: 'Watch a bank no more', query: 'rssd_id={rssd_id}', expect: { rows: 1 } }],
})
