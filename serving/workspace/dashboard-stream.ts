/** A dashboard answered widget by widget, each as soon as it is there. */
import type { DashboardRow } from '../../infra/catalog/dashboards.ts'
import type { WidgetRow } from '../../infra/catalog/widgets.ts'
import type { Scope } from '../../infra/events/aggregate.ts'
import type { DashboardLine } from '../../schemas/tile.ts'
import { widgetDefinition } from '../../schemas/widget.ts'
import type { TilePorts } from './tile-ports.ts'
import type { View } from './views-kept.ts'

/** The store answers others too. */
const atOnce = 4

interface Order {
  readonly dashboard: DashboardRow
  readonly widgets: readonly WidgetRow[]
  readonly scope: Scope
  readonly view: View
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

/** What looks at fewer days is likely to be there sooner, and an engine may answer one at a time. */
function costOf({ definition }: WidgetRow): number {
  const { funnel, question } = definition as { funnel?: { time_window_days?: number }; question?: typeof funnel }
  return 4 * (funnel?.time_window_days ?? 0) + (question?.time_window_days ?? 0)
}

/** The last line is the end, or `{ error, code: 'STREAM_ERROR' }`: what has neither was cut off on its way. */
export async function* dashboardLines(tiles: TilePorts['tiles'], order: Order): AsyncGenerator<DashboardLine> {
  const { dashboard, widgets, scope, view, signal, onError } = order
  const label = { generated_at: view.at.toISOString(), lag: view.snapshot.lag, snapshot: view.snapshot.text }
  const at = { ...scope, upTo: view.snapshot.upTo }
  try {
    yield {
      dashboard: { id: dashboard.id, name: dashboard.name, rev: dashboard.rev, widgets: widgets.length },
      ...label,
    }
    const newest = tiles.newest(at, signal)
    newest.catch(() => {})
    let rowsRead = 0
    let failed = 0
    for await (const { line, read } of asTheyCome(widgets, (widget) => answerWidget(tiles, widget, order))) {
      rowsRead += read
      if ('failed' in line) failed++
      yield line
    }
    const watermark = (await newest)?.toISOString() ?? null
    yield { end: { answered: widgets.length - failed, failed }, ...label, watermark, rows_read: rowsRead }
  } catch (error) {
    if (signal.aborted) return
    onError(error)
    yield { error: 'The dashboard could not be answered to its end; ask again', code: 'STREAM_ERROR' }
  }
}

/** What fails is this widget's own matter, and told as such; a fault of ours in words that say nothing of it. */
async function answerWidget(tiles: TilePorts['tiles'], row: WidgetRow, { scope, view, signal, onError }: Order) {
  const widget = { id: row.id, title: row.title, type: row.definition.type }
  try {
    const { tile, hit } = await answerTile(tiles, row.definition, { scope, view, signal })
    return { line: { widget, data: tile.data, cache_hit: hit }, read: tile.rowsRead }
  } catch (error) {
    signal.throwIfAborted()
    const known = tiles.failureOf(error)
    if (!known) onError(error)
    return { line: { widget, failed: known ?? fault }, read: 0 }
  }
}

const fault = { code: 'INTERNAL_SERVER_ERROR', message: 'This widget could not be answered' }

/** What is kept of the view is given again. */
export async function answerTile(
  tiles: TilePorts['tiles'],
  stored: WidgetRow['definition'],
  { scope, view, signal }: Pick<Order, 'scope' | 'view' | 'signal'>,
) {
  const definition = widgetDefinition.parse(stored)
  const question = JSON.stringify(definition)
  const kept = view.answerOf(question)
  if (kept) return { tile: kept, hit: true }
  const tile = await tiles.answer(definition, { ...scope, upTo: view.snapshot.upTo }, view.at, signal)
  view.keep(question, tile)
  return { tile, hit: false }
}

/** A few at once, and each result when it is there. */
async function* asTheyCome<T>(
  widgets: readonly WidgetRow[],
  work: (widget: WidgetRow) => Promise<T>,
): AsyncGenerator<T> {
  const waiting = widgets.toSorted((a, b) => costOf(a) - costOf(b))
  const running = new Map<WidgetRow, Promise<{ widget: WidgetRow; result: T }>>()
  while (waiting.length > 0 || running.size > 0) {
    for (let next = waiting[0]; next && running.size < atOnce; next = waiting[0]) {
      const widget = next
      waiting.shift()
      const done = work(widget).then((result) => ({ widget, result }))
      done.catch(() => {})
      running.set(widget, done)
    }
    const { widget, result } = await Promise.race(running.values())
    running.delete(widget)
    yield result
  }
}
