/** The tools that a connection has: those that its caller may call, of the categories that `tools=` names. */
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from '../plugins/access.ts'
import { type Tool, toolCategories } from './tool.ts'

const isOf = (tool: Tool, name: string) =>
  tool.name === name || tool.category === name || name === (tool.needs === null ? 'read' : 'write')

/** @param named categories and names of tools, with commas between @throws 400 for a name of neither */
export function narrowed(all: readonly Tool[], named: string | undefined, { actions }: Bearer): readonly Tool[] {
  const allowed = all.filter(({ needs }) => needs === null || actions.has(needs))
  if (named === undefined) return allowed
  const names = named.split(',').map((name) => name.trim())
  const unknown = names.find(
    (name) => !toolCategories.some((one) => one === name) && !all.some((tool) => tool.name === name),
  )
  if (unknown !== undefined)
    throw new ServiceError('BAD_REQUEST', {
      message: `tools takes ${toolCategories.join(', ')} and names of tools, not ${unknown.slice(0, 50)}`,
      field: 'tools',
    })
  return allowed.filter((tool) => names.some((name) => isOf(tool, name)))
}
