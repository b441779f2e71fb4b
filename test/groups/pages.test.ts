import { group } from '../helpers/group.ts'

await group('explorer', 'bench')
