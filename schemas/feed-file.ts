/** Feeds as files: their states, what the guard saw of one, where files are sent to, and how often that is tried. */
import { z } from 'zod'

export const feedFileStates = ['ready', 'held', 'refused'] as const
export type FeedFileState = (typeof feedFileStates)[number]

export const deliveryOutcomes = ['waiting', 'delivered', 'failed', 'overtaken'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

/** Kept of one feed where its distribution says nothing else, and the most that it may say. */
export const keptFiles = { usual: 10, most: 100 } as const

/** What a file would change for who takes it, beside the one before it. */
export const fileGuard = z.object({
  /** Lines of the file before; null where there is none. */
  former: z.int().nullable(),
  /** Lines that differ and lines that went; null where the lines of the file before are not kept, or were made otherwise. */
  changed: z.int().nullable(),
  removed: z.int().nullable(),
  /** Of the former lines, 0 to 1. */
  share: z.number(),
  /** The share that may change unasked: `mass_change_guard` of the workspace. */
  limit: z.number(),
  /** Why it is held, in sentences; empty where it is not. */
  reasons: z.array(z.string()),
})
export type FileGuard = z.infer<typeof fileGuard>

export const targetKinds = ['sftp', 's3'] as const

export interface SftpPlace {
  readonly host: string
  readonly port: number
  readonly user: string
  /** A file there, or, with a slash at its end, a folder. */
  readonly path: string
}

export interface S3Place {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly keyId: string
  readonly path: string
}

export type TargetPlace =
  | { readonly kind: 'sftp'; readonly place: SftpPlace }
  | { readonly kind: 's3'; readonly place: S3Place }

/** As it is sealed. */
export interface TargetSecret {
  readonly password?: string
  readonly privateKey?: string
  readonly passphrase?: string
}

export const mostTargets = 10

/** As ssh-keygen shows it. */
export const hostKey = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'is a fingerprint as `ssh-keygen -l` shows it: SHA256: and 43 characters')
