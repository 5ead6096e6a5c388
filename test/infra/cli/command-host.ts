/** A process that runs commands of the command line one after another, each as the program itself does; started by `hosted-commands.ts`. */
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../../infra/cli/assay.ts')

export interface Order {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What stands where the program would have ended. */
class Ended extends Error {}
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Ended)) throw reason
})

for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

let count = 0
process.on('message', ({ args, env }: Order) => {
  const said = { out: '', err: '' }
  const into = (name: keyof typeof said) => (text: string | Uint8Array) => {
    said[name] += text
    return true
  }
  process.stdout.write = into('out')
  process.stderr.write = into('err')
  process.argv = [process.execPath, program, ...args]
  process.env = { ...env }
  process.exit = (code) => {
    process.send?.({ code, ...said })
    throw new Ended()
  }
  // By another name it begins anew; what it loads is there.
  void import(`${program}?${++count}`)
})
