/** Why Assay cannot start, as one sentence for the person who started it; what only operators may see is its `cause`. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
