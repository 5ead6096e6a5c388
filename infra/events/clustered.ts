/** The statements of one server as those of a cluster, where every table has its rows on shards and one face for all of them. */

/** Copies of a row have the same sort key, so they are on the same shard, where `final` finds them. */
type ShardKeys = Map<string, string>
type Found = Readonly<Record<string, string | undefined>>

interface Form {
  readonly form: RegExp
  readonly of: (found: Found, on: string, keys: ShardKeys) => string[]
}

/** Each table has a path of its own, whatever it is called later. */
const onShard = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"
const onEveryNode = "'/clickhouse/tables/{uuid}/all', '{shard}-{replica}'"

const isEverywhere = (table: string) => table.startsWith('assay_')
const rowsOf = (table: string) => (isEverywhere(table) ? table : `${table}_local`)

/**
 * A table `t` becomes `t_local`, whose rows are each on one shard and all replicas of it, and over the shards the table `t` that everybody
 * asks and writes to. Tables named `assay_…` are of few rows: every node has all of them.
 * @param cluster its name, as the servers' configuration has it
 * @returns by statement, in the order of all migrations, those that it becomes
 */
export function clustered(cluster: string): (statement: string) => string[] {
  const keys: ShardKeys = new Map()
  return (statement) => {
    const text = statement.replace(/^(\s*--.*\n)*\s*/, '').trim()
    for (const { form, of } of forms) {
      const found = form.exec(text)?.groups
      if (found) return of(found, `on cluster '${cluster}'`, keys)
    }
    if (/^insert into /i.test(text)) return [text]
    throw new Error(`on a cluster it is not known how to say: ${text.split('\n')[0]}`)
  }
}

function overShards(create: string, table: string, on: string, keys: ShardKeys): string {
  const key = keys.get(table)
  if (key === undefined) throw new Error(`on a cluster no table ${table} is known`)
  const rows = `'${table}_local'`
  return `${create} ${table} ${on} as ${table}_local engine = Distributed(${on.slice('on cluster '.length)}, currentDatabase(), ${rows}, cityHash64(${key}))`
}

const forms: readonly Form[] = [
  {
    form: /^create table (?<once>if not exists )?(?<table>\w+) (?<columns>\([\s\S]*\)|as (?<like>\w+))\s+engine = (?<kind>\w*)MergeTree(?:\((?<own>[^)]*)\))?(?<rest>\s[\s\S]*)$/i,
    of({ once = '', table = '', columns, like, kind = '', own, rest = '' }, on, keys) {
      const [, key] = /\border by \(?([\w\s,]+?)\)?\s*(?:settings\b|$)/i.exec(rest) ?? []
      if (key === undefined) throw new Error(`on a cluster the table ${table} needs a sort key of columns`)
      keys.set(table, key)
      const place = [isEverywhere(table) ? onEveryNode : onShard, ...(own ? [own] : [])].join(', ')
      const settings = rest.replace('non_replicated_deduplication_window', 'replicated_deduplication_window')
      const rows = `create table ${once}${rowsOf(table)} ${on} ${like ? `as ${rowsOf(like)}` : columns}\nengine = Replicated${kind}MergeTree(${place})${settings}`
      return isEverywhere(table) ? [rows] : [rows, overShards(`create table ${once}`.trimEnd(), table, on, keys)]
    },
  },
  {
    form: /^alter table (?<table>\w+) (?<change>[\s\S]*)$/i,
    of({ table = '', change = '' }, on, keys) {
      const rows = `alter table ${rowsOf(table)} ${on} ${change}`
      const isOfColumns = /^(add|drop|modify|rename) column\b/i.test(change)
      return isOfColumns && !isEverywhere(table)
        ? [rows, overShards('create or replace table', table, on, keys)]
        : [rows]
    },
  },
  {
    form: /^exchange tables (?<one>\w+) and (?<other>\w+)$/i,
    of({ one = '', other = '' }, on, keys) {
      const [first = '', second = ''] = [keys.get(one), keys.get(other)]
      keys.set(one, second).set(other, first)
      return [
        `exchange tables ${one}_local and ${other}_local ${on}`,
        // Each over the columns that its rows have now.
        ...[one, other].map((table) => overShards('create or replace table', table, on, keys)),
      ]
    },
  },
  {
    form: /^drop table (?<once>if exists )?(?<table>\w+)$/i,
    of: ({ once = '', table = '' }, on) =>
      [...new Set([table, rowsOf(table)])].map((one) => `drop table ${once}${one} ${on} sync`),
  },
]
