/** The source that a file has in its catalog: our own edits where it has our column, else a file source. */
import type { AcceptStore } from './accept.ts'
import { type ChosenSource, chooseSource } from './choose-source.ts'
import { editSource, isEditFile } from './edit-file.ts'

/** @throws TableError where it cannot be told */
export async function sourceOf(
  header: readonly string[],
  { catalog, source }: { readonly catalog: string; readonly source: string | undefined },
  store: Pick<AcceptStore, 'fileSources'>,
): Promise<ChosenSource> {
  return isEditFile(header) ? editSource : chooseSource(header, source, await store.fileSources(catalog))
}
