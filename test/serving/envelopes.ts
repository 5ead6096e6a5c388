/** The two forms in which errors leave, each asserted whole: a field more or less is a fault. */
import { expect } from 'vitest'
import type { Answer } from '../running.ts'

const says = expect.stringMatching(/\S/)

/** Workspace endpoints. @param field also tells that no field is named, where it is left out */
export function expectSamplesForm({ status, body, headers }: Answer, wanted: number, code: string, field?: string) {
  const details = { message: says, ...(field === undefined ? {} : { field }), request_id: headers['x-request-id'] }
  expect({ status, body }).toEqual({ status: wanted, body: { error: code, details } })
}

/** `/jobs`, `/api/mcp/*`, and what is no route at all. */
export function expectStandardForm({ status, body, headers }: Answer, wanted: number, code: string) {
  const error = { code, message: says, request_id: headers['x-request-id'] }
  expect({ status, body }).toEqual({ status: wanted, body: { error } })
}

/** Whichever form the address has. */
export function expectError(
  answer: Answer,
  path: string,
  status: number,
  codes: { samples: string; standard: string },
) {
  if (/^\/api\/workspaces?(\/|$)/.test(path)) expectSamplesForm(answer, status, codes.samples)
  else expectStandardForm(answer, status, codes.standard)
}
