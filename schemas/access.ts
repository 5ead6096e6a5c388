/** Who may do what: roles times actions as data; routes and documents are made from it. */

export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

const viewer = ['catalogs:read', 'products:read', 'jobs:read', 'feeds:read'] as const
const editor = [...viewer, 'products:write', 'imports:write'] as const
const admin = [...editor, 'catalogs:write'] as const
const owner = admin

export type Action = (typeof admin)[number]

const rights: Readonly<Record<Role, readonly Action[]>> = { viewer, editor, admin, owner }

export const may = (role: Role, action: Action) => rights[role].includes(action)
