/** A server whose probe routes answer with who asks, over keys, members and policies that a test writes as rows. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { brandNamed } from '../../../infra/catalog/brands.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import type { Action } from '../../../schemas/access.ts'
import { makeApiKey } from '../../../serving/access/api-key.ts'
import type { TokenFacts } from '../../../serving/access/principal.ts'
import { bearerOf } from '../../../serving/plugins/access.ts'
import { buildServer, type ServerPorts } from '../../../serving/server.ts'
import { type Answer, type Running, workspace } from '../../running.ts'

const action = 'mcp:feed:read'
export const probes = {
  feed: '/api/v1/feeds/probe',
  tools: '/api/mcp/probe',
  search: '/api/v1/search/probe',
  none: '/probe',
  workspace: `/api/workspace/${workspace}/probe`,
} as const

/** A token that says these facts, as a provider's would. */
export const tokenOf = (subject: string, facts: Partial<TokenFacts> = {}) =>
  Buffer.from(JSON.stringify({ subject, ...facts })).toString('base64url')

export interface Asked {
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly ip?: string
  readonly method?: 'GET' | 'POST'
  readonly body?: object
}

export async function openProbe(assay: Running, change: Partial<ServerPorts> = {}) {
  const clock = { ms: Date.now() }
  const pool = assay.system.catalog.pipeline
  const ports = serverPorts(assay.system, () => new Date(clock.ms))
  const verify = async (token: string): Promise<TokenFacts | null> => {
    const none = { scopes: null, issuedAt: Math.floor(clock.ms / 1_000), factors: [], machine: false, local: null }
    try {
      return { ...none, ...JSON.parse(Buffer.from(token, 'base64url').toString()) }
    } catch {
      return assay.system.tokens.verify(token)
    }
  }
  const app: FastifyInstance = await buildServer({
    ...ports,
    logger: null,
    access: { ...ports.access, verify },
    ...change,
  })
  for (const [name, url] of Object.entries(probes)) {
    const channel = name === 'feed' || name === 'tools' || name === 'search' ? { channel: name as 'feed' } : {}
    const path = url.replace(workspace, ':workspaceId')
    const config = { action: action as Action, ...channel }
    app.route({
      method: ['GET', 'POST'],
      url: path,
      config,
      handler: async (request) => {
        const { actions, ...bearer } = bearerOf(request)
        return { ...bearer, actions: [...actions].sort(), ip: request.ip }
      },
    })
  }

  const key = async (
    more: { brand?: string | null; scopes?: readonly Action[]; expiresAt?: Date; in?: string } = {},
  ) => {
    const made = makeApiKey()
    await pool.query(
      `insert into api_key (key_id, workspace_id, brand_id, name, prefix, secret_hash, scopes, created_by, expires_at)
       values ($1, $2, $3, 'test', $4, $5, $6, 'test', $7)`,
      [
        randomUUID(),
        more.in ?? workspace,
        more.brand ?? null,
        made.prefix,
        made.secretHash,
        more.scopes ?? [action],
        more.expiresAt ?? null,
      ],
    )
    return made
  }

  return {
    app,
    clock,
    pool,
    key,
    main: async () => (await brandNamed(pool, workspace, 'main')) ?? '',
    async member(subject: string, role: string, brands: readonly string[] | '*' = '*', of = workspace) {
      await pool.query(
        `insert into member (workspace_id, subject, role, all_brands, brand_ids, created_by) values ($1, $2, $3, $4, $5, 'test')`,
        [of, subject, role, brands === '*', brands === '*' ? [] : brands],
      )
    },
    async ask(url: string, { as, headers = {}, ip, method = 'GET', body }: Asked = {}): Promise<Answer> {
      const bearer = as === undefined ? {} : { authorization: `Bearer ${as}` }
      const answer = await app.inject({
        method,
        url,
        headers: { ...bearer, ...headers },
        ...(ip ? { remoteAddress: ip } : {}),
        ...(body ? { payload: body } : {}),
      })
      const isJson = String(answer.headers['content-type']).includes('json')
      const parsed = isJson ? JSON.parse(answer.payload) : null
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload, body: parsed }
    },
  }
}

export type Probe = Awaited<ReturnType<typeof openProbe>>
