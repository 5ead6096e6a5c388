/** How an API key is written: a mark that people and secret scanners know, a public prefix, a secret, and a checksum against typing errors. */
import { z } from 'zod'
import { type Action, actionNames } from './access.ts'

/** `ask_live_` + 12 characters that name the key + 32 of secret + 6 of checksum, all letters and digits. */
export const apiKeyPattern = /^ask_live_([0-9A-Za-z]{12})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** Looks like one of ours, whatever it is worth: such a credential is judged as a key, never as a token. */
export const looksLikeApiKey = (text: string) => text.startsWith('ask_')

/** What a key may be allowed; the actions that only people have are left out. */
const personal: readonly Action[] = ['workspace:own', 'members:write', 'keys:write']
export const keyScopes = actionNames.filter((name) => !personal.includes(name))

export const keyScope = z.enum(keyScopes as [Action, ...Action[]])
