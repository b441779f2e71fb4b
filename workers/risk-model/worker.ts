export { draw } from './pictures.ts'
export { train } from './train.ts'
