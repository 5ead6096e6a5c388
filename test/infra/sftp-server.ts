/** An SFTP server on loopback, over a folder on disk: one user, by password or key, and a host key of its own. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import ssh2 from 'ssh2'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

export interface SftpServer {
  readonly port: number
  readonly user: string
  readonly password: string
  /** What was asked of it, in order: `open name`, `rename a b`. */
  readonly asked: string[]
  /** Ends connections in the middle of this many files. */
  breaking: number
  close(): Promise<void>
}

export const newKey = () => ssh2.utils.generateKeyPairSync('ed25519').private

/** @param folder all paths are names in it @param clientKey a private key whose holder is let in too */
export async function sftpServer(
  folder: string,
  { hostKey = newKey(), port = 0, clientKey }: { hostKey?: string; port?: number; clientKey?: string } = {},
): Promise<SftpServer> {
  const user = 'shop'
  const password = 'open sesame'
  const asked: string[] = []
  const known = clientKey === undefined ? null : ssh2.utils.parseKey(clientKey)
  const clients = new Set<ssh2.Connection>()
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => {})
    client.on('authentication', (context) => {
      if (context.username !== user) return context.reject()
      if (context.method === 'password' && context.password === password) return context.accept()
      if (context.method === 'publickey' && known !== null && !(known instanceof Error)) {
        const key = Array.isArray(known) ? known[0] : known
        if (key && context.key.data.equals(key.getPublicSSH())) {
          if (!context.signature || !context.blob) return context.accept()
          if (key.verify(context.blob, context.signature, context.hashAlgo) === true) return context.accept()
        }
      }
      context.reject(['password', 'publickey'])
    })
    client.on('ready', () => {
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), client))
      })
    })
  })

  function serve(sftp: ssh2.SFTPWrapper, client: ssh2.Connection): void {
    const files = new Map<number, FileHandle>()
    let next = 0
    const pathOf = (name: string) => join(folder, basename(name))
    const said = (id: number, work: Promise<unknown>) =>
      work.then(
        () => sftp.status(id, STATUS_CODE.OK),
        () => sftp.status(id, STATUS_CODE.FAILURE, 'no'),
      )
    const fileOf = (handle: Buffer) => {
      const file = files.get(handle.readUInt32BE())
      if (!file) throw new Error('no such handle')
      return file
    }
    sftp.on('OPEN', (id, name, flags) => {
      asked.push(`open ${name}`)
      open(pathOf(name), flags & OPEN_MODE.WRITE ? 'w' : 'r').then(
        (file) => {
          const handle = Buffer.alloc(4)
          handle.writeUInt32BE(next)
          files.set(next++, file)
          sftp.handle(id, handle)
        },
        () => sftp.status(id, STATUS_CODE.NO_SUCH_FILE, 'No such folder'),
      )
    })
    sftp.on('WRITE', (id, handle, offset, data) => {
      if (opened.breaking > 0) {
        opened.breaking--
        client.end()
        return
      }
      said(id, fileOf(handle).write(data, 0, data.length, offset))
    })
    sftp.on('CLOSE', (id, handle) => {
      const file = fileOf(handle)
      files.delete(handle.readUInt32BE())
      said(id, file.close())
    })
    sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
    sftp.on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
    sftp.on('REMOVE', (id, name) => {
      asked.push(`remove ${name}`)
      said(id, rm(pathOf(name)))
    })
    sftp.on('RENAME', (id, from, to) => {
      asked.push(`rename ${from} ${to}`)
      // As version 3 of the protocol has it: what is there stays.
      const isThere = open(pathOf(to)).then(
        (file) => file.close().then(() => true),
        () => false,
      )
      said(
        id,
        isThere.then((there) => (there ? Promise.reject(new Error('it is there')) : rename(pathOf(from), pathOf(to)))),
      )
    })
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const opened: SftpServer = {
    ...{ port: (server.address() as AddressInfo).port, user, password, asked, breaking: 0 },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        for (const client of clients) client.end()
      }),
  }
  return opened
}
