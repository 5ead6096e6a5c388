/** A statement that its connection keeps planned: for those by the key of a table that grows slowly, whose plan is always the same and takes longer than they do. */
import { hash } from 'node:crypto'

const names = new Map<string, string>()

/** @param text one of few: a connection keeps each that it was ever sent */
export function kept<V>(text: string, values: V[]): { name: string; text: string; values: V[] } {
  let name = names.get(text)
  if (name === undefined) {
    name = hash('sha256', text, 'hex').slice(0, 32)
    names.set(text, name)
  }
  return { name, text, values }
}
