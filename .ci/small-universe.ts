/** Puts the data of the tests' small demo universe into a folder: what a fuzzer reads must be short. */
import { copyUniverse } from '../test/helpers/universe-folder.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node --import tsx .ci/small-universe.ts FOLDER')
await copyUniverse(folder)
