import type { Logger } from '../../server/engine/engine.ts'

/** A log for engines whose sayings nobody reads. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
