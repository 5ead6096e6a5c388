/** Runs the test files that try more in their long form, and says what did not pass. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { importsOf } from '../imports-of.ts'

const root = join(import.meta.dirname, '../..')

/** Test files that ask `enough`, themselves or by a suite or a ground that they import. */
export function filesWithLongForm(): string[] {
  const asks = new Map<string, boolean>()
  const asksEnough = (path: string): boolean => {
    const known = asks.get(path)
    if (known !== undefined) return known
    asks.set(path, false)
    const targets = importsOf({ path, text: readFileSync(join(root, path), 'utf8') })
      .filter(({ target, typeOnly }) => target.startsWith('test/') && !typeOnly)
      .map(({ target }) => target)
    const found = targets.some((target) => target === 'test/enough.ts' || asksEnough(target))
    asks.set(path, found)
    return found
  }
  return globSync('test/**/*.test.ts', { cwd: root }).filter(asksEnough).sort()
}

/** @returns the names of what failed, and the line of counts; nothing where all passed */
export async function longSuite({ say }: { readonly say: (text: string) => void }): Promise<string[]> {
  const files = filesWithLongForm()
  say(`${files.length} test files in their long form`)
  const child = spawn(process.execPath, [join(root, 'test/run.ts'), ...files], {
    cwd: root,
    env: { ...process.env, ASSAY_TEST_FORM: 'long' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = new Set<string>()
  let last = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    say(line)
    if (/^\s*FAIL\s/.test(line)) failed.add(line.trim())
    if (line !== '') last = line
  })
  const [code] = await once(child, 'close')
  return code === 0 ? [] : [...failed, last]
}
