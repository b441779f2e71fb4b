import { group } from '../helpers/group.ts'

await group('loaders', 'declared')
