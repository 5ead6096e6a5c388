/** The flow of products as one value: where records come from, the steps they pass, and who consumes them. A test can run it, a worker does. */
import { topics } from '../schemas/topics.ts'
import { applyRecord, refusalOf, settle } from './apply.ts'
import { admit } from './bronze/admit.ts'
import { decodeRecord } from './bronze/decode.ts'
import { refoldHistory } from './bronze/history.ts'
import { grade } from './gold/grade.ts'

export const products = {
  topic: topics.bronze,
  group: 'products',
  decode: decodeRecord,
  admit,
  refuse: refusalOf,
  apply: applyRecord,
  refold: refoldHistory,
  settle,
  grade,
} as const

export type ProductTopology = typeof products
