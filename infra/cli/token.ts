/** `assay token`: prints a bearer token of the local issuer, and nothing else, so that a shell can take it. */
import { z } from 'zod'
import { actionNames, roles } from '../../schemas/access.ts'
import { workspaceId } from '../../schemas/ids.ts'
import type { Config } from '../config.ts'
import { openTokens } from '../tokens.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'

const known: ReadonlySet<string> = new Set(actionNames)
const ttlSeconds = 30 * 24 * 3600

export async function token(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, {
    workspace: { type: 'string' },
    role: { type: 'string' },
    brand: { type: 'string' },
    scope: { type: 'string' },
    data: { type: 'string', default: config.dataFolder },
  })
  if (!config.localIssuer)
    throw new CommandError(
      'The local issuer is off, so no server would take this token; ask your identity provider, or set ASSAY_LOCAL_ISSUER=on.',
    )
  const workspace = workspaceId.safeParse(values.workspace)
  if (!workspace.success) throw new CommandError('Say which workspace with --workspace ws_…')
  const role = z.enum(roles).safeParse(values.role)
  if (!role.success) throw new CommandError(`Say which role with --role: ${roles.join(', ')}.`)
  const brand = values.brand === undefined ? null : z.uuid().safeParse(values.brand)
  if (brand && !brand.success) throw new CommandError('--brand takes the id of a brand, a UUID.')
  const unknown = (values.scope ?? '').split(/\s+/).find((one) => one !== '' && !known.has(one))
  if (unknown !== undefined)
    throw new CommandError(`There is no scope ${unknown}; scopes are ${actionNames.join(', ')}.`)
  const tokens = await openTokens(values.data, { local: true, provider: null }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new CommandError(
        `The issuer's key in ${values.data} cannot be read (${cause.code ?? 'it is damaged'}); start Assay there first.`,
        { cause },
      )
    },
  )
  const claims = {
    subject: `local:${role.data}`,
    workspace: workspace.data,
    role: role.data,
    brand: brand?.data ?? null,
    scope: values.scope ?? '',
  }
  process.stdout.write(`${await tokens.sign(claims, ttlSeconds)}\n`)
  return 0
}
