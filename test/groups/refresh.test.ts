import { group } from '../helpers/group.ts'

await group('refresh', 'access', 'attack')
