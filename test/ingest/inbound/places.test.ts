import { expect, test } from 'vitest'
import { placesOf } from '../../../ingest/inbound/places.ts'

test('each message stands after the records of those before it and before those of the ones after it', () => {
  const ranges = [
    { partition: 0, from: 10, to: 12 },
    // Another writer's records came in between.
    { partition: 0, from: 15, to: 16 },
    { partition: 2, from: 7, to: 8 },
  ]
  const made = [[], [0], [], [0], [2], [0], []]
  const places = placesOf(made, { epoch: 3, ends: [10, 4, 8], ranges })
  expect(places.map(({ ends }) => ends)).toEqual([
    [10, 4, 7],
    [10, 4, 7],
    [11, 4, 7],
    [11, 4, 7],
    [12, 4, 7],
    [12, 4, 8],
    [16, 4, 8],
  ])
  expect(places.every(({ epoch }) => epoch === 3)).toBe(true)
})

test('stands after all records that came of the one before it', () => {
  const ranges = [{ partition: 0, from: 10, to: 13 }]
  const places = placesOf([[0, 0], [0], []], { epoch: 3, ends: [13], ranges })
  expect(places.map(({ ends }) => ends)).toEqual([[10], [12], [13]])
})

test('where nothing was appended it is the end of the log', () => {
  expect(placesOf([[]], { epoch: 1, ends: [5, 6], ranges: [] })).toEqual([{ epoch: 1, ends: [5, 6] }])
})
