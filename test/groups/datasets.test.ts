import { group } from '../helpers/group.ts'

await group('datasets', 'rates', 'risk', 'structure')
