/** Puts a file on an SFTP server: under a name of its own first, and under the one it is for once it is whole there. */
import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from 'ssh2'
import type { TargetSecret } from '../schemas/feed-file.ts'

export interface SftpPut {
  readonly socket: Socket
  readonly user: string
  readonly secret: TargetSecret
  /** As `ssh-keygen -l` shows it; null takes whichever comes. */
  readonly hostKey: string | null
  /** On this machine. */
  readonly file: string
  /** There. */
  readonly to: string
  /** Tells its drafts from those of others. */
  readonly name: string
  readonly signal: AbortSignal
}

export type SftpErrorCode = 'host_key' | 'sign_in' | 'refused_path' | 'broken_off'

export class SftpError extends Error {
  override readonly name = 'SftpError'
  readonly code: SftpErrorCode

  constructor(code: SftpErrorCode, says: string, cause?: unknown) {
    super(says, { cause })
    this.code = code
  }
}

const readyWithinMs = 20_000
const aliveMs = 15_000

/** @returns the key that the server showed @throws SftpError */
export async function putBySftp(put: SftpPut): Promise<{ hostKey: string }> {
  put.signal.throwIfAborted()
  const client = new ssh2.Client()
  const give = () => client.destroy()
  put.signal.addEventListener('abort', give, { once: true })
  try {
    const hostKey = await signIn(client, put)
    const closed = new Promise<never>((_, reject) => {
      client.on('close', () => reject(new SftpError('broken_off', 'The server broke the connection off')))
    })
    await Promise.race([closed, upload(client, put)])
    return { hostKey }
  } finally {
    put.signal.removeEventListener('abort', give)
    client.end()
    put.socket.destroy()
  }
}

const shownKey = (key: Buffer) => `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`

function signIn(client: Client, { socket, user, secret, hostKey, signal }: SftpPut): Promise<string> {
  let shown = ''
  return new Promise((resolve, reject) => {
    const config: ConnectConfig = {
      ...{ sock: socket, username: user, readyTimeout: readyWithinMs },
      ...{ keepaliveInterval: aliveMs, keepaliveCountMax: 3 },
      ...secret,
      hostVerifier: (key: Buffer) => {
        shown = shownKey(key)
        return hostKey === null || shown === hostKey
      },
    }
    client.on('error', (error) => reject(meant(error, shown, hostKey, signal)))
    client.on('close', () => reject(new SftpError('broken_off', 'The server broke the connection off')))
    client.on('ready', () => resolve(shown))
    try {
      client.connect(config)
    } catch (cause) {
      reject(new SftpError('sign_in', 'The private key cannot be read; give it whole, with its passphrase', cause))
    }
  })
}

function meant(error: Error & { level?: string }, shown: string, pinned: string | null, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (pinned !== null && shown !== '' && shown !== pinned)
    return new SftpError(
      'host_key',
      `The server shows the host key ${shown}, and ${pinned} is the one that is known; ask its keeper whether it was changed, and make the target anew if it was`,
      error,
    )
  if (error.level === 'client-authentication')
    return new SftpError('sign_in', 'The server does not take this user with this password or key', error)
  return new SftpError('broken_off', 'The server broke the connection off', error)
}

async function upload(client: Client, { file, to, name }: SftpPut): Promise<void> {
  const sftp = await promisify((done: (error: Error | undefined, sftp: SFTPWrapper) => void) => client.sftp(done))()
  const draft = posix.join(posix.dirname(to), `.${name}.part`)
  const { put, replace, unlink } = operations(sftp)
  try {
    await put(file, draft)
    await replace(draft, to)
  } catch (cause) {
    await unlink(draft).catch(() => {})
    throw new SftpError(
      'refused_path',
      `The server did not let the file be written to ${to}: ${(cause as Error).message}`,
      cause,
    )
  }
}

type Done = (error?: Error | null) => void

function operations(sftp: SFTPWrapper) {
  const put = promisify((from: string, to: string, done: Done) => sftp.fastPut(from, to, done))
  const unlink = promisify((path: string, done: Done) => sftp.unlink(path, done))
  const rename = promisify((from: string, to: string, done: Done) => sftp.rename(from, to, done))
  const inOneStep = promisify((from: string, to: string, done: Done) => sftp.ext_openssh_rename(from, to, done))

  /** A rename of version 3 need not replace what is there: then that is put aside, and back should it not work. */
  async function byTurns(draft: string, to: string): Promise<void> {
    if (await isDone(rename(draft, to))) return
    const former = `${draft}.former`
    const isAside = await isDone(rename(to, former))
    try {
      await rename(draft, to)
    } catch (error) {
      if (isAside) await rename(former, to)
      throw error
    }
    if (isAside) await unlink(former).catch(() => {})
  }

  return {
    put,
    unlink,
    async replace(draft: string, to: string): Promise<void> {
      try {
        await inOneStep(draft, to)
      } catch (error) {
        // A server that answers has a code; one that never said that it knows OpenSSH's way is not asked.
        if (typeof (error as { code?: unknown }).code === 'number') throw error
        await byTurns(draft, to)
      }
    },
  }
}

const isDone = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  )

/** @returns what is wrong with a private key; null where it can be used */
export function faultOfKey({ privateKey, passphrase }: TargetSecret): string | null {
  if (privateKey === undefined) return null
  const read = ssh2.utils.parseKey(privateKey, passphrase)
  const [key] = Array.isArray(read) ? read : [read]
  if (key instanceof Error || !key?.isPrivateKey())
    return 'private_key is no private key that can be read; give it whole, in PEM or in OpenSSH’s form, with its passphrase'
  return null
}
