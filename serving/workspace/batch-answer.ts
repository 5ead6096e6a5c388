/** The answer of a batch run: results in pages as they come, then the summary; streamed, so that a large catalog stays out of memory. */
import { Readable } from 'node:stream'

/** One run over a catalog; `close` gives the catalog free for the next run. */
export interface BatchRun<Result, Summary> {
  results(): AsyncIterable<readonly Result[]>
  summary(): Summary
  close(): Promise<void>
}

export function batchAnswer<Result, Summary>(run: BatchRun<Result, Summary>, summaryName: string): Readable {
  let closed: Promise<void> | null = null
  const close = () => (closed ??= run.close())
  const answer = Readable.from(document(run, summaryName, close))
  // A caller who went before the first byte: the generator never began, and its end never comes.
  answer.once('close', () => void close())
  return answer
}

/** Closes the run before the answer's last byte, so that who has the whole answer may ask again. */
async function* document<Result, Summary>(
  run: BatchRun<Result, Summary>,
  summaryName: string,
  close: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    let separator = '{"results":['
    for await (const page of run.results()) {
      if (page.length === 0) continue
      yield separator + page.map((result) => JSON.stringify(result)).join(',')
      separator = ','
    }
    await close()
    yield `${separator === ',' ? '' : separator}],"${summaryName}":${JSON.stringify(run.summary())}}`
  } finally {
    await close()
  }
}
