/** What agents can read beside calling tools: the catalogs, the rubric by which products are graded, and the platforms' profiles. */
import { findCatalog, listCatalogs } from '../../infra/catalog/tenants.ts'
import { profileFor, profiles } from '../../schemas/feeds/registry.ts'
import { catalogId } from '../../schemas/ids.ts'
import { rubricPage } from '../../transforms/gold/rubric-page.ts'
import { nextCursor, readCursor } from '../cursor.ts'
import { principalOf } from '../plugins/access.ts'
import type { ToolContext } from './tool.ts'

export type Asking = Pick<ToolContext, 'bearer' | 'ports'>

/** One address, or with `{name}` in it a family of them. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Those of a family that there are, in pages; a single one is listed as itself. */
  list?(after: string | undefined, asking: Asking): Promise<ListedResources>
  /** @param name what stands for `{name}` @returns null where there is none */
  read(name: string, asking: Asking): Promise<ResourceBody | null>
}

export interface ListedResources {
  readonly resources: readonly { readonly uri: string; readonly name: string }[]
  readonly next: string | null
}

export type ResourceBody = { readonly text: string } | { readonly blob: string }

const pageRows = 100
const json = 'application/json'
let page: string | null = null

const rubric: Resource = {
  ...{ uri: 'assay://rubric', name: 'rubric', title: 'The rubric', mimeType: 'text/markdown' },
  description: 'Every rule that products are graded by, its points, why it is there and who says so',
  async read() {
    page ??= rubricPage()
    return { text: page }
  },
}

const feeds: Resource = {
  ...{ uri: 'assay://feeds/{name}', name: 'feed-profile', title: 'A platform’s feed profile', mimeType: json },
  description: 'What a platform asks of a product, its columns, and the schema of a line',
  list: async () => ({
    resources: profiles.map(({ platform }) => ({ uri: `assay://feeds/${platform}`, name: platform })),
    next: null,
  }),
  async read(name) {
    const profile = profileFor(name)
    if (!profile) return null
    const { platform, version, native, columns, schema } = profile
    const rules = profile.rules.map(({ field, asks, source }) => ({ field, asks, source }))
    return { text: JSON.stringify({ platform, version, native, columns, rules, schema }) }
  },
}

const catalogs: Resource = {
  ...{ uri: 'assay://catalogs/{name}', name: 'catalog', title: 'A catalog', mimeType: json },
  description: 'A catalog by its id: name, brand, published version',
  async list(after, { bearer, ports }) {
    const from = readCursor(after)
    const rows = await ports.catalog.withTenant(principalOf(bearer), (tx) => listCatalogs(tx, from, pageRows + 1))
    return {
      resources: rows.slice(0, pageRows).map(({ id, name }) => ({ uri: `assay://catalogs/${id}`, name })),
      next: nextCursor(rows, pageRows),
    }
  },
  async read(name, { bearer, ports }) {
    const id = catalogId.safeParse(name)
    const row = id.success && (await ports.catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, id.data)))
    return row ? { text: JSON.stringify(row) } : null
  },
}

export const resources: readonly Resource[] = [rubric, feeds, catalogs]

/** The resource that an address is of, and the name in it. */
export function resourceAt(
  all: readonly Resource[],
  uri: string,
): { readonly resource: Resource; readonly name: string } | null {
  for (const resource of all) {
    const found = formOf(resource.uri).exec(uri)
    if (found) return { resource, name: found[1] ?? '' }
  }
  return null
}

const formOf = (uri: string) => new RegExp(`^${uri.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace('{name}', '([^/]+)')}$`)
