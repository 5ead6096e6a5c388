/** A call that is tried again under its Idempotency-Key: clients give each try an id of its own, and want the answer under it. */
import type { Repeats } from '../plugins/idempotency.ts'

type Message = Readonly<Record<string, unknown>>

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a batch nothing is left out: its answers are told apart by their ids. */
export const repeatedCall: Repeats = {
  asked(body) {
    if (!isMessage(body)) return body
    const { id: _id, params, ...rest } = body
    if (!isMessage(params)) return { ...rest, params }
    // Such as the token under which progress is told.
    const { _meta, ...asked } = params
    return { ...rest, params: asked }
  },

  /** A call that failed made nothing, and may well not fail again. */
  isMade(answer) {
    const told: unknown = JSON.parse(answer)
    return [told].flat().every((one) => isMessage(one) && isMessage(one.result) && one.result.isError !== true)
  },

  again(answer, body) {
    const told: unknown = JSON.parse(answer)
    if (!isMessage(told) || !isMessage(body) || !Object.hasOwn(body, 'id')) return answer
    return JSON.stringify({ ...told, id: body.id })
  },
}
