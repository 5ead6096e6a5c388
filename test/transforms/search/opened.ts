/** A segment of the index as a query reads it, made of products in memory. */
import { openSegmentBuilder } from '../../../transforms/search/build-segment.ts'
import { type OpenSegment, readColumns } from '../../../transforms/search/open-segment.ts'
import { bucketOf, findPostings } from '../../../transforms/search/postings.ts'
import type { ColumnGroup } from '../../../transforms/search/segment-columns.ts'
import { termHash } from '../../../transforms/search/term-hash.ts'

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
      const hash = termHash(term)
      return findPostings(hash, lists.get(hash) ?? null, lists.get(bucketOf(hash, buckets)) ?? null)
    },
  }
}
