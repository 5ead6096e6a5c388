/** The best rows of all segments in order: by rank, and of one rank by id. */
import { idText, idWords } from './segment-columns.ts'

export interface TopRow {
  readonly rank: number
  /** Which of the segments it stands in. */
  readonly segment: number
  readonly id: string
}

/** Where a page ends. */
export interface Place {
  readonly rank: number
  readonly id: string
}

interface Held {
  rank: number
  segment: number
  document: number
  ids: Uint32Array
}

/** Less is worse: of one rank the id that comes later is. */
function compare(a: Held, b: Held): number {
  return a.rank - b.rank || compareIds(b.ids, b.document, a.ids, a.document)
}

function compareIds(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (a[i * 4 + word] as number) - (b[j * 4 + word] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** @param after only rows behind this place are held */
export function openTop(most: number, after: Place | null) {
  /** A heap whose first is the worst. */
  const heap: Held[] = []
  const last = after && { rank: after.rank, segment: -1, document: 0, ids: Uint32Array.from(idWords(after.id)) }

  function sink(from: number): void {
    for (let at = from; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && compare(heap[child] as Held, heap[least] as Held) < 0) least = child
      if (least === at) return
      swap(at, least)
      at = least
    }
  }
  function swap(a: number, b: number): void {
    const held = heap[a] as Held
    heap[a] = heap[b] as Held
    heap[b] = held
  }
  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (compare(heap[at] as Held, heap[parent] as Held) >= 0) return
      swap(at, parent)
      at = parent
    }
  }

  return {
    add(rank: number, segment: number, document: number, ids: Uint32Array): void {
      const worst = heap[0]
      if (heap.length === most && worst && rank < worst.rank) return
      if (last && rank > last.rank) return
      const held = { rank, segment, document, ids }
      if (last && compare(held, last) >= 0) return
      if (heap.length < most) {
        heap.push(held)
        rise(heap.length - 1)
      } else if (worst && compare(held, worst) > 0) {
        heap[0] = held
        sink(0)
      }
    },
    rows: (): TopRow[] =>
      heap
        .sort((a, b) => compare(b, a))
        .map(({ rank, segment, document, ids }) => ({ rank, segment, id: idText(ids, document) })),
  }
}
