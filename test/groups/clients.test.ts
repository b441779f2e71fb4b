import { group } from '../helpers/group.ts'

await group('clients', 'explorer', 'bench')
