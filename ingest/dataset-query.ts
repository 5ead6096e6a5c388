/** What every way of sending a file takes in the query: where it goes, whose it is, how it is read, who is told. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Notify } from '../infra/catalog/job-table.ts'
import { catalogId } from '../schemas/ids.ts'
import type { Wanted } from './accept.ts'
import { encodingNames } from './encoding/names.ts'
import { refusalOf } from './file-body.ts'
import { type Said, saidOf } from './how-to-read.ts'
import { fileKinds } from './readers/table.ts'
import { TableError } from './table-error.ts'

export interface TargetPorts {
  /** The catalog that is named, or the brand's default, where the caller may write to it. */
  readonly target: (request: FastifyRequest, catalogId: string | undefined) => Promise<Target>
  /** Where the end of the caller's job is told by mail. */
  readonly notify: (request: FastifyRequest, wanted: boolean) => Promise<Notify | null>
  readonly maxUploadBytes: number
}

interface Target {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
}

export const datasetQuery = z.object({
  catalog_id: catalogId.optional(),
  source: z.string().optional(),
  /** Told by the bytes where absent. */
  kind: z.enum(fileKinds).optional(),
  /** What text is written in; found out where absent. */
  encoding: z.enum(encodingNames).optional(),
  /** Of a workbook: by name, or by number from 1. */
  sheet: z.string().min(1).max(200).optional(),
  map: z.union([z.string(), z.array(z.string())]).optional(),
  notify_email: z.enum(['true', 'false']).optional(),
  mode: z.enum(['merge', 'snapshot']).optional(),
})
type DatasetQuery = z.infer<typeof datasetQuery>

export const wantedOf = ({
  source,
  map,
  mode,
  ...said
}: DatasetQuery): Pick<Wanted, 'source' | 'map' | 'snapshot' | keyof Said> => ({
  source,
  snapshot: mode === 'snapshot',
  ...saidOf(said),
  map: map === undefined ? [] : [map].flat(),
})

/** Answers in the API's words for a file that cannot be taken. */
export async function refusingFiles<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // What is still to come is read and forgotten, else the caller's next request would meet it on this connection.
    request.raw.resume()
    throw error instanceof TableError ? refusalOf(error) : error
  }
}

export interface RepeatPorts {
  /** Told the file's hash before anything is made of it; throws where the request was sent before. */
  readonly sameFile: (request: FastifyRequest, sha256: string) => void
  /** Answers with what was answered then; throws what is no such thing. */
  readonly replayed: (error: unknown, reply: FastifyReply) => FastifyReply
}
