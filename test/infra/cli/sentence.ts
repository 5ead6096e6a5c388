/** What a command says when it cannot do what it was asked: one sentence on stderr, exit code 1, never a stack trace. */
import { expect } from 'vitest'
import type { Ran } from '../../faults/assay-process.ts'

/** @returns the sentence */
export function sentence({ code, out, err }: Ran): string {
  expect({ code, out, lines: err.split('\n').length, end: err.at(-1) }).toEqual({
    code: 1,
    out: '',
    lines: 2,
    end: '\n',
  })
  expect(err).not.toMatch(/\bat .+:\d+:\d+|Error:/)
  return err.trimEnd()
}
