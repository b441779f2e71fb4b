import { group } from '../helpers/group.ts'

await group('engine', 'ops', 'workers', 'mcp')
