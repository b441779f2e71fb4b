/** Values of a JSON document that may be anything: what is not there, or of another kind, is empty. */
import { LoadError, wordsOf } from './errors.ts'

/** @throws LoadError naming the place */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LoadError(`${place}: not readable as JSON: ${wordsOf(error)}`)
  }
}

/** A number or a text as text; '' for objects, lists and what is not there. */
export const scalarOf = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'object' ? '' : String(value)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
