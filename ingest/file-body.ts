/** The file that a request brings, as a form with one file or as the body itself, and what a refused file is answered with. */
import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../schemas/errors.ts'
import type { Offer } from './accept.ts'
import { TableError, type TableErrorCode } from './table-error.ts'

const bytes = z.string().meta({ format: 'binary' })
const form = z.object({ file: bytes })

/** Those that people send; a body of any other type is a file too, since its bytes say what it is. */
export const fileBodies = [
  { type: 'multipart/form-data', schema: form },
  { type: 'application/x-ndjson', schema: z.string(), example: '{"sku":"MUG-1","title":"Enamel mug"}\n' },
  {
    type: 'application/json',
    schema: z.string(),
    example: '{"products":[{"sku":"MUG-1","title":"Enamel mug","price":"12.50"}]}',
  },
  { type: 'text/csv', schema: z.string(), example: 'sku,title,price\nMUG-1,Enamel mug,12.50\n' },
  { type: 'text/tab-separated-values', schema: z.string(), example: 'sku\ttitle\nMUG-1\tEnamel mug\n' },
  {
    type: 'application/xml',
    schema: z.string(),
    example: '<products><product><sku>MUG-1</sku><title>Enamel mug</title></product></products>',
  },
  { type: 'text/xml', schema: z.string() },
  { type: 'text/plain', schema: z.string() },
  { type: 'application/octet-stream', schema: bytes },
]

/** Which part of the query a refused file is about. */
const queryOf: Partial<Record<TableErrorCode, string>> = {
  bad_mapping: 'map',
  unknown_column: 'map',
  source_name: 'source',
  source_tie: 'source',
  no_sheet: 'sheet',
  not_a_snapshot: 'mode',
}

export function refusalOf(error: TableError): ServiceError {
  if (error.code === 'PLAN_LIMIT') return new ServiceError('PLAN_LIMIT', { message: error.says, cause: error })
  const field = queryOf[error.code]
  return new ServiceError('INVALID_REQUEST', {
    message: error.says,
    ...(field ? { field } : {}),
    ...(error.code === 'too_large' ? { status: 413 } : {}),
    cause: error,
  })
}

type File = Pick<Offer, 'fileName' | 'body'>

export async function fileOf(request: FastifyRequest, maxBytes: number): Promise<File> {
  const { fileName, body } = await sentFile(request, maxBytes)
  return { fileName, body: thenWaiting(body, request) }
}

/** Nothing comes or goes while gigabytes are looked at: this is no sender who is gone. The next request has its limit again. */
async function* thenWaiting(body: AsyncIterable<Uint8Array>, request: FastifyRequest): AsyncGenerator<Uint8Array> {
  yield* body
  request.raw.socket.setTimeout?.(0)
}

async function sentFile(request: FastifyRequest, maxBytes: number): Promise<File> {
  if (request.isMultipart()) return fileOfForm(request.parts())
  const body = request.body as Readable | undefined
  if (!body || typeof body !== 'object' || !(Symbol.asyncIterator in body))
    throw new ServiceError('INVALID_REQUEST', {
      message: 'Send the file as the body, of whatever content type, or as the one file of a multipart/form-data form',
    })
  if (Number(request.headers['content-length']) > maxBytes)
    throw refusalOf(new TableError('too_large', `A file may have at most ${maxBytes} bytes.`))
  // A request that is destroyed takes the connection with it, and the answer that says why.
  return { fileName: 'upload', body: body.iterator({ destroyOnReturn: false }) }
}

const mostName = 255

/** It is shown and opens nothing: what no name has is left out of it. */
const shownName = (sent: string | undefined) =>
  Array.from((sent ?? '').toWellFormed().replace(/\p{Cc}/gu, ''))
    .slice(0, mostName)
    .join('') || 'upload'

async function fileOfForm(parts: AsyncIterator<Multipart>): Promise<File> {
  const part = await nextPart(parts)
  if (!part) throw new ServiceError('INVALID_REQUEST', { message: 'The form has no file part', field: 'file' })
  if (part.type === 'field') throw besidesTheFile(part)
  return { fileName: shownName(part.filename), body: theFileAlone(part.file, parts) }
}

/** The bytes of the file, and then a look at what else the form has: a second file would be lost in silence. */
async function* theFileAlone(file: Readable, parts: AsyncIterator<Multipart>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (cause) {
    throw brokenForm(cause)
  }
  const more = await nextPart(parts)
  if (more) throw besidesTheFile(more)
}

async function nextPart(parts: AsyncIterator<Multipart>): Promise<Multipart | null> {
  try {
    const { done, value } = await parts.next()
    return done ? null : value
  } catch (cause) {
    throw brokenForm(cause)
  }
}

function besidesTheFile(part: Multipart): ServiceError {
  if (part.type === 'file') part.file.resume()
  return new ServiceError('INVALID_REQUEST', {
    message: 'The form may have one file and nothing else; catalog_id, source and map go into the query',
    field: part.fieldname,
  })
}

const brokenForm = (cause: unknown) =>
  new ServiceError('INVALID_REQUEST', { message: 'The form is no whole multipart/form-data body', cause })
