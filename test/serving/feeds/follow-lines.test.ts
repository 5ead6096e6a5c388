import { expect, test } from 'vitest'
import { goingPages } from '../../../serving/feeds/feed-pages.ts'
import { readPosition } from '../../../serving/feeds/feed-position.ts'
import { enough } from '../../enough.ts'
import { feedGround } from './feed-ground.ts'
import { holdFollowers } from './hold-followers.ts'

const ground = feedGround()

test(
  'who follows while a writer publishes, and comes and goes meanwhile, ends with exactly what is published, and is told nothing twice',
  async () => {
    await holdFollowers(ground, enough(20, 500), enough(2, 1))
  },
  enough(120_000, 900_000),
)

test('who went away in the middle of an edition is told the rest of it, though nothing is published after it', async () => {
  const ids = (await ground.offers(3)).sort()
  await ground.publish()
  await ground.read()
  for (const id of ids) await ground.put(id, { title: `Stool, waxed ${id}` })
  await ground.publish()
  const edition = (await ground.reading()).open.edition
  const from = readPosition(`t.${(await ground.config()).id}.${edition / 1_000_000}.${ids[0]}`)
  const stopped = new AbortController()
  const follow = { mayStill: async () => true, times: { pollMs: 3, heartbeatMs: 60_000 }, signal: stopped.signal }
  const told: string[] = []
  for await (const { bytes } of goingPages(await ground.reading(), from, follow).pages) {
    told.push(...bytes.toString().trimEnd().split('\n'))
    stopped.abort()
  }
  expect(told.map((line) => JSON.parse(line)._product)).toEqual(ids.slice(1))
}, 60_000)
