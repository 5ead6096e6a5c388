import { describe, expect, test } from 'vitest'
import { isAlive, isDeleted } from '../../../transforms/bronze/alive.ts'
import { create, edit, folded, record, withdraw } from './story.ts'

const cells = { title: 'Lamp' }

describe('a product is there', () => {
  test.each(['file-a', 'url', 'hub:s', 'fork:c@3'])('while a layer of %s lives', (source) => {
    expect(isAlive(folded(record(source, cells), edit({ title: 'Desk lamp' })))).toBe(true)
  })

  test('while one of two files lists it', () => {
    expect(isAlive(folded(record('file-a', cells), record('file-b', cells), withdraw('file-a')))).toBe(true)
  })

  test('without any file where a create made it', () => {
    expect(isAlive(folded(create(cells)))).toBe(true)
    expect(isAlive(folded(record('file-a', cells), create(cells), withdraw('file-a')))).toBe(true)
  })

  test('again when a source lists it again', () => {
    expect(isAlive(folded(record('file-a', cells), withdraw('file-a'), record('file-a', cells)))).toBe(true)
  })
})

describe('a product goes', () => {
  test('when no file, url or hub layer lives and no create made it', () => {
    const edited = [record('file-a', cells), edit(cells), record('check:images', { 'image:type': 'png' })]
    expect(isAlive(folded(...edited))).toBe(true)
    expect(isAlive(folded(...edited, withdraw('file-a')))).toBe(false)
  })

  test.each(['api', 'check:images'])('and is not kept or brought back by what %s says', (source) => {
    expect(isAlive(folded(record(source, cells)))).toBe(false)
    expect(isAlive(folded(record('file-a', cells), withdraw('file-a'), record(source, cells)))).toBe(false)
  })
})

describe('deleting through the API', () => {
  const gone = [record('file-a', cells), create(cells), edit({ deleted: '2026-01-01' })]

  test('takes the product away whatever else lives', () => {
    expect([isAlive(folded(...gone)), isDeleted(folded(...gone))]).toEqual([false, true])
  })

  test('is not undone by imports, new sources or plain edits', () => {
    const since = [record('file-a', { title: 'New' }), record('file-b', { deleted: '__CLEAR__' }), edit(cells)]
    expect(isDeleted(folded(...gone, ...since))).toBe(true)
  })

  test('is undone by a create with the same identity, and can be done again', () => {
    expect(isAlive(folded(...gone, create(cells)))).toBe(true)
    expect(isAlive(folded(...gone, create({ ...cells, deleted: ' ' })))).toBe(true)
    expect(isAlive(folded(...gone, create(cells), edit({ deleted: '2026-01-01' })))).toBe(false)
  })

  test('is undone by clearing the cell, as a restore or an undo of the delete does', () => {
    expect(isAlive(folded(...gone, edit({ deleted: '__CLEAR__' })))).toBe(true)
  })

  test('is not what a column of that name means, in a file or in a file of edits', () => {
    expect(isAlive(folded(record('file-a', { deleted: 'yes' })))).toBe(true)
    expect(isAlive(folded(record('file-a', cells), record('api', { deleted: 'no' }, { context: 4 })))).toBe(true)
  })

  test('counts for nothing once its source withdrew all that it said', () => {
    expect(isAlive(folded(record('file-a', cells), edit({ deleted: 'now' }), withdraw('api')))).toBe(true)
  })

  test('leaves no trace on a product that was never deleted', () => {
    expect(folded(create(cells), create(cells)).layers[0]?.cells).toEqual(cells)
  })
})
