/** Who may do what: roles and scopes times actions as data; routes, the OpenAPI document and tests are made from it. */

export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What a route may ask for, and what that allows in words. A scope of a key or a machine's token is an action's name. */
export const actions = {
  'catalogs:read': 'read catalogs, brands and their versions',
  'catalogs:write': 'create, change, publish and delete catalogs; run batch actions',
  'products:read': 'read products and scores',
  'products:write': 'create, change and delete products',
  'imports:write': 'import files and pages',
  'jobs:read': 'follow background jobs',
  'mcp:feed:read': 'read feeds',
  'search:read': 'search the published catalog',
  'search:write': 'change what search knows: synonyms and rules',
  'mcp:tools': 'call tools',
  'events:write': 'send events of agents',
  'dashboards:read': 'read dashboards',
  'dashboards:write': 'change dashboards',
  'settings:read': 'read pipeline settings',
  'settings:write': 'change pipeline settings',
  'members:read': 'read members',
  'members:write': 'add, change and remove members',
  'keys:read': 'list API keys',
  'keys:write': 'create, rotate and revoke API keys',
  'webhooks:write': 'manage webhooks',
  'replays:write': 'replay the log',
  'audit:read': 'read the audit log',
  'workspace:read': 'read the workspace, its plan and usage',
  'workspace:write': 'rename the workspace, change its policy',
  'brands:write': 'create, rename and remove brands',
  'workspace:own': 'delete the workspace, transfer ownership, unpublish from the hub',
} as const
export type Action = keyof typeof actions
export const actionNames = Object.keys(actions) as readonly Action[]

const viewer: readonly Action[] = [
  'catalogs:read',
  'products:read',
  'jobs:read',
  'mcp:feed:read',
  'search:read',
  'dashboards:read',
  'settings:read',
  'workspace:read',
]
const editor: readonly Action[] = [
  ...viewer,
  'products:write',
  'imports:write',
  'dashboards:write',
  'events:write',
  'search:write',
  'mcp:tools',
]
const admin: readonly Action[] = [
  ...editor,
  'catalogs:write',
  'settings:write',
  'members:read',
  'members:write',
  'keys:read',
  'keys:write',
  'webhooks:write',
  'replays:write',
  'audit:read',
  'workspace:write',
  'brands:write',
]
const owner: readonly Action[] = actionNames

export const rights: Readonly<Record<Role, readonly Action[]>> = { viewer, editor, admin, owner }
