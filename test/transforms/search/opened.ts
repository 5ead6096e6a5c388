/** A segment of the index as a query reads it, made of products in memory. */
import { openSegmentBuilder } from '../../../transforms/search/build-segment.ts'
import { type OpenSegment, readColumns } from '../../../transforms/search/open-segment.ts'
import { findPostings, keysOf } from '../../../transforms/search/postings.ts'
import type { ColumnGroup } from '../../../transforms/search/segment-columns.ts'

export function opened(
  products: Parameters<ReturnType<typeof openSegmentBuilder>['add']>[0],
  catalog: string,
  gone: Uint8Array | null = null,
): OpenSegment {
  const builder = openSegmentBuilder(products.length)
  builder.add(products)
  const { documents, buckets, columns, postings } = builder.finish()
  const lists = new Map([...postings].map(({ key, data }) => [key, new Uint32Array(Uint8Array.from(data).buffer)]))
  const read = Object.entries(columns).map(([group, data]) => [group, readColumns(group as ColumnGroup, data)])
  return {
    ...{ catalog, documents, gone, columns: Object.fromEntries(read) as OpenSegment['columns'] },
    postings(term) {
      const [row, bucket] = keysOf(term, buckets)
      return findPostings(term, lists.get(row) ?? null, lists.get(bucket) ?? null)
    },
  }
}
