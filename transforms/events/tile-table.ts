/** What a widget shows as a table: a row for each group, or of a funnel for each step. */
import type { ColumnKind, Table } from '../../schemas/table.ts'
import type { TileData } from '../../schemas/tile.ts'

type Cell = Table['rows'][number][number]

/** Whole numbers by their names; all other numbers may be broken. */
const whole = new Set(['secondary'])
const kindOf = (name: string): ColumnKind => (name === 'key' ? 'text' : whole.has(name) ? 'long' : 'double')

export function tileTable(data: TileData): Table {
  if ('funnel' in data) return funnelTable(data.funnel)
  const rows: readonly Readonly<Record<string, Cell | undefined>>[] = data.rows
  // What a row says beside its value depends on what was asked.
  const names = [...new Set(['key', 'value', ...rows.flatMap((row) => Object.keys(row))])]
  return {
    columns: names.map((name) => ({ name, kind: kindOf(name) })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  }
}

const funnelColumns = [
  { name: 'part', kind: 'text' },
  { name: 'group_key', kind: 'text' },
  { name: 'step', kind: 'long' },
  { name: 'event_type', kind: 'text' },
  { name: 'name', kind: 'text' },
  { name: 'count', kind: 'long' },
  { name: 'conversion', kind: 'double' },
  { name: 'step_conversion', kind: 'double' },
  { name: 'dropped', kind: 'long' },
] as const satisfies Table['columns']

type Funnel = Extract<TileData, { funnel: unknown }>['funnel']

/** The whole comes first; a group without a key is no whole, which `part` tells apart. */
function funnelTable({ steps, groups }: Funnel): Table {
  const rowsOf = (part: string, key: string | null, of: Funnel['steps']) =>
    of.map((one, i): readonly Cell[] => [
      ...[part, key, i + 1, one.event_type, one.name],
      ...[one.count, one.conversion, one.step_conversion, one.dropped],
    ])
  return {
    columns: funnelColumns,
    rows: [...rowsOf('whole', null, steps), ...(groups ?? []).flatMap(({ key, steps }) => rowsOf('group', key, steps))],
  }
}
