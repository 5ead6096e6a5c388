/** Tells UTF-8, with an odd byte or without, from what is something else, over a whole file. */
import { isAscii, isUtf8 } from 'node:buffer'
import { scanUtf8, wholeUtf8 } from './utf8-scan.ts'

/** Bytes of either kind that are counted; more would change nothing. */
const enough = 2 ** 12

export interface Utf8Evidence {
  /** Keeps nothing of the chunk's memory. */
  see(chunk: Uint8Array): void
  /** Whether what is still to come could change nothing. */
  readonly decided: boolean
  readonly result: 'whole' | 'damaged' | 'other'
}

export function openUtf8Evidence(): Utf8Evidence {
  let held: Uint8Array = new Uint8Array(0)
  let good = 0
  let bad = 0
  const look = (bytes: Uint8Array) => {
    // Byte by byte a file of a gigabyte took a second and more.
    if (isAscii(bytes) || (good >= enough && isUtf8(bytes))) return
    good += scanUtf8(bytes, () => {
      bad++
    })
  }
  // A character of two bytes beside one odd byte is UTF-8: in other encodings two neighbours rarely form one (KF-03).
  const isUtf = () => good >= 2 * bad
  return {
    see(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const whole = wholeUtf8(bytes)
      look(bytes.subarray(0, whole))
      held = Buffer.from(bytes.subarray(whole))
    },
    get decided() {
      return bad >= enough && !isUtf()
    },
    get result() {
      if (held.length > 0) look(held)
      held = new Uint8Array(0)
      return bad === 0 ? 'whole' : isUtf() ? 'damaged' : 'other'
    },
  }
}
