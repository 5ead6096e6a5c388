/** The log of a process: lines of JSON on standard error, in which nothing by the name of a credential is written. */
import pino, { type DestinationStream, type Logger } from 'pino'

/** Nobody logs these on purpose: a second wall beside `serving/plugins/log-fields.ts`. */
const secret = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'apiKey',
  'key',
  'password',
  'secret',
  'secretHash',
  'token',
  'connectionString',
]
/** As deep as an error's cause or a request's headers stand. */
const depths = ['', '*', '*.*', '*.*.*']
const paths = depths.flatMap((depth) => secret.map((name) => `${depth}["${name}"]`))

/** @param base what every line says beside its time and level */
export function openLogger(
  level: string,
  base?: Record<string, unknown>,
  to: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino({ level, redact: { paths, censor: '***' }, ...(base ? { base } : {}) }, to)
}
