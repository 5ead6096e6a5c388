import { test } from 'vitest'
import { feedGround } from './feed-ground.ts'
import { holdFollowers } from './hold-followers.ts'

const ground = feedGround()

test('who follows while a writer publishes, and comes and goes meanwhile, ends with exactly what is published, and is told nothing twice', async () => {
  await holdFollowers(ground, 20, 2)
}, 120_000)
