import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openArrivals } from '../../../infra/system/arrivals.ts'

const never = new AbortController().signal

test('whoever waits is told when something is there for it, and nobody else is', async () => {
  let ends = [0, 0]
  const arrival = openArrivals(async () => ends)
  const told: number[] = []
  const waits = [0, 1].map((partition) => arrival(partition, 0, never).then(() => told.push(partition)))
  ends = [0, 3]
  await waits[1]
  expect(told).toEqual([1])
  ends = [1, 3]
  await waits[0]
  expect(told).toEqual([1, 0])
})

test('sixteen partitions ask one question each time, and none when nobody waits', async () => {
  let asked = 0
  const stop = new AbortController()
  const arrival = openArrivals(async () => {
    if (++asked === 3) stop.abort()
    return []
  })
  const waits = Array.from({ length: 16 }, (_, partition) => arrival(partition, 0, stop.signal))
  await Promise.all(waits)
  await sleep(150)
  expect(asked).toBe(3)
})

test('what cannot be asked fails all who wait, and who comes afterwards waits anew', async () => {
  let away = true
  const arrival = openArrivals(async () => {
    if (away) throw new Error('the log is away')
    return [1]
  })
  const waits = await Promise.allSettled([arrival(0, 0, never), arrival(1, 0, never)])
  expect(waits.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  away = false
  await arrival(0, 0, never)
})

test('who leaves at the signal waits no longer, also where it came too late', async () => {
  const arrival = openArrivals(async () => [])
  await arrival(0, 0, AbortSignal.abort())
  const stop = new AbortController()
  const waits = arrival(0, 0, stop.signal)
  stop.abort()
  await waits
})

test('who comes in the moment another is told is told too', async () => {
  let end = 1
  const arrival = openArrivals(async () => [end])
  for (let from = 0; from < 5; from++) {
    await arrival(0, from, never)
    end++
  }
  expect(end).toBe(6)
})

test('where nothing comes it asks ever less often, and as often as before once something came', async () => {
  let end = 0
  let asked = 0
  const arrival = openArrivals(
    async () => {
      asked++
      return [end]
    },
    { pauseMs: 10 },
  )
  const waits = arrival(0, 0, never)
  await sleep(2_200)
  const before = asked
  await sleep(600)
  // Every 200 ms by then; every 10 ms would be sixty times.
  expect(asked - before).toBeLessThan(8)
  end = 1
  await waits
  const [came, next] = [asked, arrival(0, 1, never)]
  await sleep(90)
  expect(asked - came).toBeGreaterThanOrEqual(3)
  end = 2
  await next
})

test('where the engine tells of what comes, who waits sees it at once and is not asked for otherwise', async () => {
  let [end, asked] = [0, 0]
  let ring = () => {}
  const told = {
    tells: () => true,
    onTold: (heard: () => void) => {
      ring = heard
    },
  }
  const ends = async () => {
    asked++
    return [end]
  }
  const arrival = openArrivals(ends, { told })
  // Once for what may have been told just before.
  const waits = arrival(0, 0, never)
  await sleep(500)
  expect(asked).toBe(1)
  end = 1
  const began = performance.now()
  ring()
  await waits
  expect(performance.now() - began).toBeLessThan(200)
  expect(asked).toBe(2)
})

test('what came without a word is seen all the same', async () => {
  let end = 0
  const arrival = openArrivals(async () => [end], { told: { tells: () => true, onTold: () => {} } })
  const waits = arrival(0, 0, never)
  await sleep(50)
  end = 1
  await waits
})
