// Makes the universe of the tests before any of them starts: two that start at once would both make it.
import { universeFolder } from './universe-folder.ts'

await universeFolder()
