import { group } from '../helpers/group.ts'

await group('query', 'formats', 'formula', 'derive')
