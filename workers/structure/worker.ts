export { answer, prepare } from './task.ts'
